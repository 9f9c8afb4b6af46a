#include "line/sip/sdes.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>

// Each header after those it needs.
// clang-format off
extern "C" {
#include <re_types.h>
#include <re_fmt.h>
#include <re_base64.h>
}
// clang-format on

namespace vqas {
namespace {

constexpr std::array<std::string_view, 2> kSuites{"AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32"};
constexpr std::string_view kInline = "inline:";
constexpr std::size_t kKeyText = 40;  // base64 of 30 octets

// The text up to the next space, which is taken away.
std::string_view take_word(std::string_view& rest) {
  const std::size_t space = rest.find(' ');
  const std::string_view word = rest.substr(0, space);
  rest.remove_prefix(space == std::string_view::npos ? rest.size() : space);
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  return word;
}

}  // namespace

std::string to_text(const CryptoAttribute& attribute) {
  std::array<char, kKeyText + 1> text{};
  std::size_t size = text.size();
  (void)base64_encode(attribute.key.octets.data(), attribute.key.octets.size(), text.data(), &size);
  return fmt::format("{} {} {}{}", attribute.tag, kSuites.at(static_cast<std::size_t>(attribute.key.suite)), kInline,
                     std::string_view(text.data(), size));
}

std::optional<CryptoAttribute> parse_crypto(const std::string& text) {
  std::string_view rest = text;
  CryptoAttribute read;
  const std::string_view tag = take_word(rest), suite = take_word(rest);
  std::string_view key = take_word(rest);
  const auto [stopped, fault] = std::from_chars(tag.data(), tag.data() + tag.size(), read.tag);
  if (fault != std::errc() || stopped != tag.data() + tag.size() || read.tag < 0) return std::nullopt;
  if (suite != kSuites[0] && suite != kSuites[1]) return std::nullopt;
  read.key.suite = suite == kSuites[0] ? SrtpSuite::aes_cm_128_hmac_sha1_80 : SrtpSuite::aes_cm_128_hmac_sha1_32;
  // A second key has another identifier, which each packet would carry.
  if (!key.starts_with(kInline) || !rest.empty() || key.find(';') != std::string_view::npos) return std::nullopt;
  key.remove_prefix(kInline.size());
  if (const std::size_t bar = key.find('|'); bar != std::string_view::npos) {
    if (key.find(':', bar) != std::string_view::npos) return std::nullopt;
    key = key.substr(0, bar);
  }
  if (key.size() != kKeyText) return std::nullopt;
  std::size_t size = read.key.octets.size();
  if (base64_decode(key.data(), key.size(), read.key.octets.data(), &size) != 0 || size != read.key.octets.size())
    return std::nullopt;
  return read;
}

}  // namespace vqas
