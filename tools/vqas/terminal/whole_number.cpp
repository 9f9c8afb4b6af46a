#include "terminal/whole_number.h"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace vqas::cli {

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  const std::string range = fmt::format("{} to {}", least, most);
  const auto check = [least, most, range](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, value);
    const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && fault == std::errc() && rest == end && value >= least && value <= most) return {};
    const bool number =
        text.find_first_of("0123456789") <= 1 && text.find_last_not_of("+-0123456789") == std::string::npos;
    return number ? fmt::format("{} is out of range; give a whole number of {}", text, range)
                  : fmt::format("{} is not a whole number; give one of {}", text.empty() ? "\"\"" : text, range);
  };
  return CLI::Validator(check, most == std::numeric_limits<std::uint64_t>::max() ? std::string() : range);
}

CLI::Validator finite(double least, double most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, fault] = std::from_chars(text.data(), end, value);
    if (fault == std::errc() && rest == end && value >= least && value <= most) return {};
    return fmt::format("{} is out of range; give a number of {} to {}", text.empty() ? "\"\"" : text, least, most);
  };
  return CLI::Validator(check, fmt::format("{} to {}", least, most));
}

}  // namespace vqas::cli
