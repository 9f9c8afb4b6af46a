#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vqas/line/address.h"

namespace vqas {

/// A session description (IETF RFC 8866), rewritten by the relay.
struct SdpRewrite {
  std::string text;                  ///< the description to forward
  std::optional<SocketAddress> rtp;  ///< where its sender receives audio; none: on hold, refused, or not numeric
  bool audio = false;                ///< it offers or accepts one audio stream in plain RTP
  bool audio_off = false;            ///< its audio stream has port 0: refused, or turned off during a call
  bool on_hold = false;              ///< it wants audio at 0.0.0.0: hold, the older way (RFC 3264, clause 8.4)
  /// It wants audio at this address, which belongs to no single machine (is_unicast()). `rtp` is then nothing.
  std::optional<SocketAddress> unusable;
  bool foreign = false;  ///< the audio's connection is not IPv4: its sender cannot receive from the relay
};

/// Whether readers may disagree on where a line ends: a zero octet, or a carriage return without a line feed (RFC 8866,
/// clause 9, allows neither within a line). Such a description could name a stream that rewrite_sdp() does not see.
/// Re-entrant.
bool has_ambiguous_line(std::string_view sdp);

/// Points the first audio stream in plain RTP (RTP/AVP) at `relay`. Turns off all other streams (port 0) and removes
/// attributes that name addresses (a=rtcp, a=candidate, a=ice-…, a=remote-candidates), because they would bypass the
/// relay. Everything else stays unchanged, octet for octet. An audio stream that is on hold or turned off stays so. A
/// connection that is not IPv4 is also pointed at the relay, so that no audio bypasses it. Re-entrant.
SdpRewrite rewrite_sdp(std::string_view sdp, const SocketAddress& relay);

}  // namespace vqas
