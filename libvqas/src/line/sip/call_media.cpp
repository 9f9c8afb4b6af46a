#include "line/sip/call_media.h"

#include <fmt/format.h>

#include <new>

namespace vqas {
namespace {

constexpr std::uint32_t kRate_hz = 8000;  // RFC 3551: the clock of PCMU and PCMA

Error unusable(const std::string& what) {
  return {ErrorCode::protocol, what};
}

}  // namespace

CallMedia::CallMedia(const SocketAddress& local, G711Law law) : codec_(law == G711Law::mu ? "PCMU" : "PCMA") {
  const sa address = libre::as_sa(local);
  sdp_session* session = nullptr;
  int error = sdp_session_alloc(&session, &address);
  session_.reset(session);
  if (error == 0) error = sdp_media_add(&audio_, session, sdp_media_audio, local.port, sdp_proto_rtpavp);
  // RFC 3551, table 4: the static payload types.
  const char* const type = law == G711Law::mu ? "0" : "8";
  if (error == 0)
    error =
        sdp_format_add(nullptr, audio_, false, type, codec_, kRate_hz, 1, nullptr, nullptr, nullptr, false, nullptr);
  if (error == 0) error = sdp_media_set_lattr(audio_, true, "ptime", "20");
  if (error != 0) throw std::bad_alloc();
}

libre::Owned<mbuf> CallMedia::description(bool offer) {
  mbuf* body = nullptr;
  return sdp_encode(&body, session_.get(), offer) == 0 ? libre::Owned<mbuf>(body) : nullptr;
}

Result<AgreedMedia> CallMedia::take(mbuf* body, bool offer) {
  if (sdp_decode(session_.get(), body, offer) != 0) return unusable("its session description cannot be read");
  if (sdp_media_rport(audio_) == 0) return unusable("its session description has no audio by plain RTP (RTP/AVP)");
  if (sdp_media_rformat(audio_, nullptr) == nullptr) {
    return unusable(fmt::format("its session description has no {}, the line's codec", codec_));
  }
  const sa* const remote = sdp_media_raddr(audio_);
  if (sa_af(remote) != AF_INET) return unusable("its session description has no IPv4 address");
  AgreedMedia agreed{{sa_in(remote), sa_port(remote)}, sdp_media_dir(audio_) != SDP_SENDRECV};
  // RFC 3264, 8.4: an older way to put a call on hold.
  if (agreed.remote.host == 0) agreed.held = true;
  if (!agreed.held && !is_unicast(agreed.remote)) return unusable("its session description has no usable address");
  return agreed;
}

}  // namespace vqas
