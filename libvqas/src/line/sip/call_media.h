#pragma once

#include "line/sip/call_state.h"
#include "line/sip/libre.h"
#include "vqas/channel/g711.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The session description of one call (RFC 3264): a single audio stream, plain RTP, one law of G.711, 20 ms a packet.
/// Of libre's thread.
class CallMedia {
 public:
  /// `local`: address and RTP port of this end.
  CallMedia(const SocketAddress& local, G711Law law);

  /// A description to send, as an offer or as the answer to what take() got. Null when memory ran out.
  libre::Owned<mbuf> description(bool offer);
  /// Reads the body of a message, from its position. Fails with protocol when it cannot be read or shares no codec.
  Result<AgreedMedia> take(mbuf* body, bool offer);

 private:
  libre::Owned<sdp_session> session_;
  sdp_media* audio_ = nullptr;  // of the session
  const char* codec_;
};

}  // namespace vqas
