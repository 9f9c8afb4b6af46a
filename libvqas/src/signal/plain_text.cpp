#include "vqas/signal/plain_text.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace vqas {
namespace {

struct Range {
  char32_t first, last;
};
constexpr std::array<Range, 7> kNeverShown{{{0x00, 0x1F},
                                            {0x7F, 0x9F},
                                            {0x061C, 0x061C},
                                            {0x200E, 0x200F},
                                            {0x2028, 0x2029},
                                            {0x202A, 0x202E},
                                            {0x2066, 0x2069}}};

// Length of a character in bytes from its first byte (RFC 3629, section 3); 0 for a byte that starts no character.
std::size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: the text does not start with a character
};

Character first_of(std::string_view text) {
  constexpr std::array<char32_t, 5> kLowest{0, 0, 0x80, 0x800,
                                            0x10000};  // smaller values have a shorter encoding, the only valid one
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t bytes = length_by(first);
  if (bytes == 0 || bytes > text.size()) return {};
  if (bytes == 1) return {first, 1};
  char32_t code = first & (0x7FU >> bytes);
  for (const char c : text.substr(1, bytes - 1)) {
    const auto next = static_cast<unsigned char>(c);
    if ((next & 0xC0U) != 0x80) return {};
    code = code << 6U | (next & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLowest.at(bytes) || code > 0x10FFFF || surrogate) return {};
  return {code, bytes};
}

}  // namespace

std::string plain_text(std::string_view text, std::string_view kept) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const auto [code, bytes] = first_of(text);
    const bool hidden = std::ranges::any_of(
        kNeverShown, [code = code](const Range& range) { return code >= range.first && code <= range.last; });
    if (bytes == 0) {
      plain += '?';
    } else if (hidden && !(bytes == 1 && kept.find(text.front()) != std::string_view::npos)) {
      plain += ' ';
    } else {
      plain += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return plain;
}

bool is_plain_text(std::string_view text) {
  return plain_text(text) == text;
}

std::size_t whole_characters(std::string_view text) {
  constexpr std::size_t kLongest = 4;
  for (std::size_t back = 1; back <= std::min(kLongest, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0U) == 0x80) continue;  // A continuation byte.
    return length_by(byte) > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace vqas
