#include <openssl/evp.h>

#include <array>
#include <cassert>

#include "vqas/corpus/corpus.h"

namespace vqas {

std::string sha256_hex(const std::string& bytes) {
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

}  // namespace vqas
