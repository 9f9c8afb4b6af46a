#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vqas/line/address.h"

namespace vqas {

/// A session description (IETF RFC 8866) on its way through the relay.
struct SdpRewrite {
  std::string text;                  ///< what is passed on
  std::optional<SocketAddress> rtp;  ///< where its sender takes audio; none: on hold, refused, or not numeric
  bool audio = false;                ///< it offers or takes one stream of audio in plain RTP
  bool audio_off = false;            ///< it names such a stream with port 0: refused, or turned off within a call
  bool on_hold = false;              ///< it wants audio at 0.0.0.0: a hold of the old kind (RFC 3264, clause 8.4)
  /// It wants audio at an address that is no machine's (is_unicast()): this one. `rtp` is nothing then.
  std::optional<SocketAddress> unusable;
  bool foreign = false;  ///< the audio's connection is no IPv4 one: its sender cannot hear the relay
};

/// Points the first audio stream of plain RTP (RTP/AVP) at `relay`, and turns all others off (port 0), because they
/// would pass the relay by; likewise attributes that name addresses (a=rtcp, a=candidate, a=ice-…,
/// a=remote-candidates). Everything else is left as it stands, octet for octet. An audio stream that is on hold or
/// turned off stays so. A connection of another kind than IPv4 is pointed at the relay all the same, so that no audio
/// goes round it. Re-entrant.
SdpRewrite rewrite_sdp(std::string_view sdp, const SocketAddress& relay);

}  // namespace vqas
