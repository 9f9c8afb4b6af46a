#include "line/line_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

std::optional<std::string> decoded(const std::string& text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      plain += text[at];
      continue;
    }
    unsigned value = 0;
    const char* const first = text.data() + at + 1;
    if (at + 2 >= text.size()) return std::nullopt;
    const auto [stopped, fault] = std::from_chars(first, first + 2, value, 16);
    if (fault != std::errc() || stopped != first + 2 || value == 0) return std::nullopt;
    plain += static_cast<char>(value);
    at += 2;
  }
  return plain;
}

Error wrong(const std::string& name, const std::string& what) {
  return {ErrorCode::bad_input, fmt::format("the line \"{}\": {}", name, what)};
}

}  // namespace

Result<LineName> LineName::parse(const std::string& name, const std::set<std::string>& known, Separators separators) {
  LineName parsed;
  parsed.whole_ = name;
  const std::size_t question = name.find(separators.first);
  const std::size_t colon = name.find(':');
  const auto body = decoded(name.substr(colon + 1, question == std::string::npos ? question : question - colon - 1));
  if (!body) return wrong(name, "% must be followed by two hexadecimal digits");
  parsed.body_ = *body;
  std::string rest = question == std::string::npos ? std::string() : name.substr(question + 1);
  while (!rest.empty()) {
    const std::size_t end = rest.find(separators.next);
    const std::string part = rest.substr(0, end);
    rest = end == std::string::npos ? std::string() : rest.substr(end + 1);
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    if (!known.contains(key)) {
      return wrong(name, fmt::format("there is no parameter \"{}\"; it takes {}", key, fmt::join(known, ", ")));
    }
    const auto value = equals == std::string::npos ? std::nullopt : decoded(part.substr(equals + 1));
    if (!value || value->empty()) return wrong(name, fmt::format("give \"{}\" a value, {}=VALUE", key, key));
    if (!parsed.values_.emplace(key, *value).second) return wrong(name, fmt::format("\"{}\" is given twice", key));
  }
  return parsed;
}

std::string LineName::text(const std::string& key, const std::string& otherwise) const {
  const auto found = values_.find(key);
  return found == values_.end() ? otherwise : found->second;
}

Result<int> LineName::number(const std::string& key, int least, int most, int otherwise) const {
  const auto found = values_.find(key);
  if (found == values_.end()) return otherwise;
  int value = 0;
  const char* const last = found->second.data() + found->second.size();
  const auto [stopped, fault] = std::from_chars(found->second.data(), last, value);
  if (fault != std::errc() || stopped != last || value < least || value > most) {
    return wrong(whole_, fmt::format("{} must be a whole number from {} to {}", key, least, most));
  }
  return value;
}

Result<std::string> LineName::word(const std::string& key, const std::set<std::string>& words,
                                   const std::string& otherwise) const {
  const std::string value = text(key, otherwise);
  if (!words.contains(value) && value != otherwise) {
    return wrong(whole_, fmt::format("{} must be one of {}", key, fmt::join(words, ", ")));
  }
  return value;
}

Result<int> line_rate_of(const LineName& name) {
  const auto hd = name.word("hd", {"yes", "no"}, "no");
  if (!hd) return hd.error();
  return *hd == "yes" ? kWideRateHz : kLineRateHz;
}

std::string hd_in_words(int rate_hz) {
  return rate_hz == kLineRateHz ? "" : ", HD voice at 16 kHz";
}

std::string as_line_text(const std::string& text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = c != '%' && c != '?' && c != '&' && c != '=' && static_cast<unsigned char>(c) > 0x20;
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace vqas
