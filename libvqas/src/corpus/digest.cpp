#include "vqas/corpus/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace vqas {

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  [[maybe_unused]] const int done =
      EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr);
  assert(done == 1);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * static_cast<std::size_t>(length));
  for (unsigned int n = 0; n < length; ++n) {
    text += kDigits[digest[n] >> 4];
    text += kDigits[digest[n] & 15];
  }
  return text;
}

bool is_hex_digest(std::string_view text, std::size_t digits) {
  return text.size() == digits &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace vqas
