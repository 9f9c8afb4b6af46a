#pragma once

#include <optional>
#include <string>

#include "line/media/srtp.h"

namespace vqas {

/// The attribute a=crypto of a session description, which carries a key of SRTP (RFC 4568). Its text is a secret.
struct CryptoAttribute {
  int tag = 0;  ///< an answer repeats that of the offer which it takes
  SrtpKey key;
};
/// "1 AES_CM_128_HMAC_SHA1_80 inline:…". Re-entrant.
std::string to_text(const CryptoAttribute& attribute);
/// Nothing for a suite that VQAS does not have, for session parameters or a key identifier (MKI), which it does not
/// have either, and for arbitrary text. A lifetime is read past: calls end before any. Re-entrant.
std::optional<CryptoAttribute> parse_crypto(const std::string& text);

}  // namespace vqas
