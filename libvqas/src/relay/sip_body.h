#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vqas {

/// The Content-Type of a SIP message's body.
struct SipBodyType {
  std::string type;      ///< "application/sdp", in small letters; empty: the message says none
  std::string boundary;  ///< of a body in parts
};

/// Where the session description of a body lies.
struct SdpPlace {
  std::size_t begin = 0, size = 0;  ///< octets
};
struct SdpInBody {
  std::optional<SdpPlace> place;  ///< of the only description, or the first one
  /// The body may hold a description that `place` is not: encoded, without a type, in nested parts, more than one, or
  /// in parts that cannot be read.
  bool hides = false;
};

/// Looks for the session description in a body, or in its parts (RFC 2046, 5.1). `body` is arbitrary. Re-entrant.
SdpInBody find_sdp(const SipBodyType& type, std::string_view body);

/// `text` in small letters, without blanks. Re-entrant.
std::string plain_word(std::string_view text);
/// The next line of `text`, which loses it; the line's end is CR LF, LF or CR. Re-entrant.
std::string_view next_line(std::string_view& text);

}  // namespace vqas
