#include "line/rtcp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>

// Each header after those it needs.
// clang-format off
extern "C" {
#include <re_types.h>
#include <re_sa.h>
#include <re_mbuf.h>
#include <re_mem.h>
#include <re_rtp.h>
}
// clang-format on

namespace vqas {
namespace {

using Put = int (*)(mbuf*, void*);

struct Release {
  void operator()(void* object) const { mem_deref(object); }
};

// RFC 7022, 4.2: a name for a single session.
int put_name(mbuf* buffer, void* ssrc) {
  const std::uint32_t source = *static_cast<const std::uint32_t*>(ssrc);
  const std::string name = fmt::format("vqas-{:08x}", source);
  return rtcp_sdes_encode(buffer, source, 1, RTCP_SDES_CNAME, name.c_str());
}

// `packet` is a BYE. libre prints warnings about unknown kinds of packets, so it gets only these.
bool names(std::span<const std::uint8_t> packet, std::uint32_t ssrc) {
  const std::unique_ptr<mbuf, Release> buffer(mbuf_alloc(packet.size()));
  mbuf_write_mem(buffer.get(), packet.data(), packet.size());
  buffer->pos = 0;
  rtcp_msg* decoded = nullptr;
  if (rtcp_decode(&decoded, buffer.get()) != 0) return false;
  const std::unique_ptr<rtcp_msg, Release> message(decoded);
  const std::span sources(message->r.bye.srcv, message->hdr.count);
  return std::ranges::find(sources, ssrc) != sources.end();
}

}  // namespace

std::vector<std::uint8_t> rtcp_goodbye(std::uint32_t ssrc) {
  constexpr std::size_t kRoom = 64;
  const std::unique_ptr<mbuf, Release> buffer(mbuf_alloc(kRoom));
  rtcp_encode(buffer.get(), RTCP_RR, 0, ssrc, static_cast<Put>(nullptr), static_cast<void*>(nullptr));
  rtcp_encode(buffer.get(), RTCP_SDES, 1, &put_name, static_cast<void*>(&ssrc));
  rtcp_encode(buffer.get(), RTCP_BYE, 1, &ssrc, static_cast<const char*>(nullptr));
  return {buffer->buf, buffer->buf + buffer->end};
}

bool says_goodbye(std::span<const std::uint8_t> datagram, std::uint32_t ssrc) {
  constexpr std::size_t kHeader = 4;
  while (datagram.size() >= kHeader) {
    const std::size_t size =
        (std::size_t{datagram[2]} * 256 + datagram[3] + 1) * 4;  // RFC 3550, 6.4.1: words minus one
    if (size > datagram.size()) return false;
    if (datagram[1] == RTCP_BYE && names(datagram.first(size), ssrc)) return true;
    datagram = datagram.subspan(size);
  }
  return false;
}

}  // namespace vqas
