#include "terminal/end_time.h"

#include <charconv>
#include <ctime>
#include <optional>

namespace vqas::cli {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<int> number(std::string_view text) {
  int value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<std::chrono::seconds> duration(const std::string& text) {
  const auto count = number(std::string_view(text).substr(0, text.size() - 1));
  if (!count || *count > 1000000) return std::nullopt;
  switch (text.back()) {
    case 's':
      return std::chrono::seconds(*count);
    case 'm':
      return std::chrono::minutes(*count);
    case 'h':
      return std::chrono::hours(*count);
    default:
      return std::nullopt;
  }
}

std::optional<std::chrono::seconds> time_of_day(const std::string& text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const auto hour = number(std::string_view(text).substr(0, 2)), minute = number(std::string_view(text).substr(3));
  if (!hour || !minute || *hour > 23 || *minute > 59) return std::nullopt;
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  const int wait = (*hour * 60 + *minute) * 60 - ((local.tm_hour * 60 + local.tm_min) * 60 + local.tm_sec);
  constexpr int kDay = 24 * 60 * 60;
  return std::chrono::seconds(wait > 0 ? wait : wait + kDay);
}

}  // namespace

Result<std::function<bool()>> until(const std::string& text) {
  if (text.empty()) return std::function<bool()>();
  auto wait = duration(text);
  if (!wait) wait = time_of_day(text);
  if (!wait) {
    return Error{
        ErrorCode::bad_input,
        "--until " + text + " is neither a time of day, such as 17:30, nor a duration, such as 90s, 45m or 2h"};
  }
  const Clock::time_point end = Clock::now() + *wait;
  return std::function<bool()>([end] { return Clock::now() >= end; });
}

Result<double> duration_s(const std::string& text, const std::string& option) {
  if (text.empty()) return 0.0;
  const auto length = duration(text);
  if (length && length->count() > 0) return static_cast<double>(length->count());
  return Error{ErrorCode::bad_input, option + " " + text + " is no duration, such as 90s, 45m or 2h"};
}

}  // namespace vqas::cli
