#include "channel/parse_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace vqas {
namespace {

// Scans a TOML text in the same way as the parser, as long as the text is valid. The parser stops at the first fault,
// so the result beyond it does not matter.
class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : text_(text) {}

  /// The line where a key has too many parts, or brackets are nested too deeply.
  std::optional<std::size_t> too_deep() {
    while (at_ < text_.size()) {
      step();
      if (parts_ > kDeepestToml || brackets_ > kDeepestToml) return line_;
    }
    return std::nullopt;
  }

 private:
  void step() {
    const char c = text_[at_];
    switch (c) {
      case '"':
      case '\'':
        return skip_string(c);
      case '#':
        at_ = std::min(text_.find('\n', at_), text_.size());
        return;
      case '.':
        ++parts_;
        break;
      case '[':
      case '{':
        ++brackets_;
        parts_ = 1;
        break;
      case ']':
      case '}':
        if (brackets_ > 0) --brackets_;
        parts_ = 1;
        break;
      case '\n':
        ++line_;
        parts_ = 1;
        break;
      // None of these occurs within a dotted key, with or without spaces around its dots.
      case '=':
      case ',':
        parts_ = 1;
        break;
      default:
        break;
    }
    ++at_;
  }

  // Dots and brackets in a string have no meaning.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool multiline = text_.substr(at_, 3) == three;
    at_ += multiline ? 3 : 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!multiline) return;  // an error
        ++line_;
      }
      if (c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        ++at_;
        continue;
      }
      if (c != quote) continue;
      if (!multiline) {
        ++at_;
        return;
      }
      if (text_.substr(at_, 3) != three) continue;
      // Up to two quotes before the closing three belong to the string.
      const std::size_t behind = std::min(text_.find_first_not_of(quote, at_), text_.size());
      at_ = std::min(behind, at_ + 5);
      return;
    }
  }

  const std::string_view text_;
  std::size_t at_ = 0, line_ = 1, parts_ = 1, brackets_ = 0;
};

Error bad(const std::filesystem::path& where, std::size_t line, const std::string& what) {
  return {ErrorCode::bad_input, fmt::format("{}:{}: {}", where.string(), line, what)};
}

}  // namespace

Result<toml::table> parse_toml(const std::string& text, const std::filesystem::path& where) {
  if (text.size() > kLongestToml)
    return bad(where, 1,
               fmt::format("is {} bytes of TOML, and at most {} are read; cut it", text.size(), kLongestToml));
  if (const auto line = DepthScan(text).too_deep()) {
    return bad(where, *line,
               fmt::format("a key has more than {0} parts, or more than {0} brackets are nested; write it "
                           "as \"vqas plan new\" or \"vqas channel profiles thunderstorm\" prints it",
                           kDeepestToml));
  }
  try {
    return toml::parse(text, where.string());
  } catch (const toml::parse_error& fault) {
    return bad(where, fault.source().begin.line,
               fmt::format("cannot be read as TOML: {}", std::string_view(fault.description())));
  }
}

}  // namespace vqas
