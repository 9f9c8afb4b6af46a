#pragma once

#include <array>

#include "line/sip/libre.h"
#include "line/sip/sdes.h"
#include "line/sip/sip_call_state.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The session description of one call (RFC 3264): a single audio stream of the codecs that the line allows, with
/// telephone events, 20 ms a packet; by plain RTP, or by SRTP with keys in the description (RFC 4568). Of libre's
/// thread.
class CallMedia {
 public:
  /// `local`: address and RTP port of this end.
  CallMedia(const SocketAddress& local, const MediaTerms& terms);

  CallMedia(const CallMedia&) = delete;
  CallMedia& operator=(const CallMedia&) = delete;

  /// A description to send, as an offer or as the answer to what take() got. Null when memory ran out.
  libre::Owned<mbuf> description(bool offer);
  /// Reads the body of a message, from its position: the first codec of an offer or answer that the line allows is
  /// agreed on. Fails with protocol when it cannot be read, or has no such codec or no key.
  Result<AgreedMedia> take(mbuf* body, bool offer);

 private:
  void add_formats();
  bool choose_format(RtpTerms& agreed, bool offer);
  Status choose_key(RtpTerms& agreed, bool offer);
  std::string why_no_audio() const;

  const MediaTerms terms_;
  libre::Owned<sdp_session> session_;
  sdp_media* audio_ = nullptr;             // of the session
  std::array<CryptoAttribute, 2> own_{};   // by suite; tag and key stay for the whole call
  std::optional<CryptoAttribute> answer_;  // to the last offer
};

}  // namespace vqas
