#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vqas {

/// SHA-256 of bytes (FIPS 180-4, by OpenSSL), lower-case hexadecimal. Re-entrant.
std::string sha256_hex(std::string_view bytes);
/// True for `digits` lower-case hexadecimal digits: a result of sha256_hex(), or its beginning.
bool is_hex_digest(std::string_view text, std::size_t digits = 64);

}  // namespace vqas
