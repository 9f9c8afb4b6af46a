#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "line/media/rtp_format.h"
#include "line/media/srtp.h"
#include "vqas/line/address.h"

namespace vqas {

/// What an end of a call allows, before it has agreed with the other end.
struct MediaTerms {
  MediaTerms() = default;
  MediaTerms(G711Law law) : codecs{RtpFormat(law).encoding} {}  // NOLINT(google-explicit-constructor)
  std::vector<RtpEncoding> codecs{RtpEncoding::pcmu};           ///< in the order of preference
  int rate_hz = kLineRateHz;                                    ///< of the samples at this end, 8000 or 16000
  bool srtp = false;                                            ///< SRTP only; else plain RTP only
};

/// Where a stream goes and what it is made of. A value.
struct RtpTerms {
  SocketAddress remote;
  RtpFormat format = {};
  /// Payload types of telephone events (RFC 4733); nothing: the other end does not take, or send, any.
  std::optional<std::uint8_t> events_sent_as = {}, events_heard_as = {};
  std::optional<SrtpKeys> srtp = {};  ///< nothing: plain RTP
  bool operator==(const RtpTerms&) const = default;
};

}  // namespace vqas
