#include "line/rtcp/rtcp_packet.h"

#include <fmt/format.h>

#include <algorithm>
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
using Octets = std::span<const std::uint8_t>;

constexpr std::size_t kHeader = 4;  // octets
// RFC 3611, 4.7.
constexpr std::uint8_t kVoipBlock = 7;
constexpr std::size_t kVoipOctets = 36;
constexpr std::uint8_t kUnavailable = 127;
constexpr std::uint8_t kGapThreshold = 16;  // RFC 3611, 4.7.2
// RFC 3611, 4.7.6: concealment by replaying, and a jitter buffer that does not adapt.
constexpr std::uint8_t kReceiverConfiguration = 0b1110'0000;

struct Release {
  void operator()(void* object) const { mem_deref(object); }
};

// RFC 7022, 4.2: a name for a single session.
int put_name(mbuf* buffer, void* ssrc) {
  const std::uint32_t source = *static_cast<const std::uint32_t*>(ssrc);
  const std::string name = fmt::format("vqas-{:08x}", source);
  return rtcp_sdes_encode(buffer, source, 1, RTCP_SDES_CNAME, name.c_str());
}

void put8(mbuf* buffer, std::uint8_t value) {
  mbuf_write_u8(buffer, value);
}

void put16(mbuf* buffer, std::uint16_t value) {
  put8(buffer, static_cast<std::uint8_t>(value >> 8));
  put8(buffer, static_cast<std::uint8_t>(value));
}

void put32(mbuf* buffer, std::uint32_t value) {
  put16(buffer, static_cast<std::uint16_t>(value >> 16));
  put16(buffer, static_cast<std::uint16_t>(value));
}

int put_blocks(mbuf* buffer, void* report) {
  for (const RtcpReportBlock& one : static_cast<const RtcpReport*>(report)->blocks) {
    put32(buffer, one.ssrc);
    put32(buffer, std::uint32_t{one.fraction} << 24 | (static_cast<std::uint32_t>(one.lost) & 0xFFFFFF));
    for (const std::uint32_t word : {one.highest, one.jitter, one.last_sr, one.since_sr}) put32(buffer, word);
  }
  return 0;
}

void put_voip(mbuf* buffer, std::uint32_t from, const std::vector<RtcpVoipMetrics>& all) {
  if (all.empty()) return;
  put8(buffer, RTCP_VERSION << 6);
  put8(buffer, RTCP_XR);
  put16(buffer, static_cast<std::uint16_t>(1 + all.size() * kVoipOctets / 4));
  put32(buffer, from);
  for (const RtcpVoipMetrics& one : all) {
    put8(buffer, kVoipBlock);
    put8(buffer, 0);
    put16(buffer, kVoipOctets / 4 - 1);
    put32(buffer, one.ssrc);
    for (const std::uint8_t octet : {one.loss, one.discard, one.burst_density, one.gap_density}) put8(buffer, octet);
    for (const int time : {one.burst_ms + 0, one.gap_ms + 0, one.round_trip_ms + 0, 0})
      put16(buffer, static_cast<std::uint16_t>(time));
    // Levels, residual echo; R factor and that of other networks, MOS in conversation.
    put8(buffer, kUnavailable);
    put8(buffer, kUnavailable);
    put8(buffer, kUnavailable);
    put8(buffer, kGapThreshold);
    put8(buffer, kUnavailable);
    put8(buffer, kUnavailable);
    put8(buffer, one.mos_lq_tenths.value_or(kUnavailable));
    put8(buffer, kUnavailable);
    put8(buffer, kReceiverConfiguration);
    put8(buffer, 0);
    for (int n = 0; n < 3; ++n) put16(buffer, one.buffer_ms);  // nominal, largest and largest possible
  }
}

std::uint16_t get16(Octets octets, std::size_t at) {
  return static_cast<std::uint16_t>(octets[at] << 8 | octets[at + 1]);
}

std::uint32_t get32(Octets octets, std::size_t at) {
  return std::uint32_t{get16(octets, at)} << 16 | get16(octets, at + 2);
}

void read_blocks(const rtcp_rr* blocks, std::size_t count, RtcpReport& report) {
  for (const rtcp_rr& one : std::span(blocks, blocks == nullptr ? 0 : count)) {
    report.blocks.push_back(
        {one.ssrc, static_cast<std::uint8_t>(one.fraction), one.lost, one.last_seq, one.jitter, one.lsr, one.dlsr});
  }
}

// libre prints warnings about unknown kinds of packets, so it gets only the three that are used here.
bool read_by_libre(Octets packet, RtcpReport& report) {
  const std::unique_ptr<mbuf, Release> buffer(mbuf_alloc(packet.size()));
  mbuf_write_mem(buffer.get(), packet.data(), packet.size());
  buffer->pos = 0;
  rtcp_msg* decoded = nullptr;
  if (rtcp_decode(&decoded, buffer.get()) != 0) return false;
  const std::unique_ptr<rtcp_msg, Release> message(decoded);
  const std::size_t count = message->hdr.count;
  if (message->hdr.pt == RTCP_BYE) {
    const std::span sources(message->r.bye.srcv, count);
    report.leaving.insert(report.leaving.end(), sources.begin(), sources.end());
  } else if (message->hdr.pt == RTCP_SR) {
    const auto& sr = message->r.sr;
    report.from = sr.ssrc;
    report.sender = {std::uint64_t{sr.ntp_sec} << 32 | sr.ntp_frac, sr.rtp_ts, sr.psent, sr.osent};
    read_blocks(sr.rrv, count, report);
  } else {
    report.from = message->r.rr.ssrc;
    read_blocks(message->r.rr.rrv, count, report);
  }
  return true;
}

// libre 1.1 does not know extended reports.
void read_extended(Octets packet, RtcpReport& report) {
  for (Octets rest = packet.subspan(std::min(packet.size(), 2 * kHeader)); rest.size() >= kHeader;) {
    const std::size_t size = (std::size_t{get16(rest, 2)} + 1) * 4;
    if (size > rest.size()) return;
    if (rest[0] == kVoipBlock && size == kVoipOctets) {
      RtcpVoipMetrics one{get32(rest, 4),  rest[8],         rest[9],         rest[10],       rest[11],
                          get16(rest, 12), get16(rest, 14), get16(rest, 16), get16(rest, 30)};
      if (rest[26] >= 10 && rest[26] <= 50) one.mos_lq_tenths = rest[26];
      report.voip.push_back(one);
    }
    rest = rest.subspan(size);
  }
}

}  // namespace

std::vector<std::uint8_t> rtcp_packet(const RtcpReport& report) {
  constexpr std::size_t kRoom = 256;
  RtcpReport written = report;
  written.blocks.resize(std::min<std::size_t>(written.blocks.size(), 31));
  const auto count = static_cast<std::uint32_t>(written.blocks.size());
  const std::unique_ptr<mbuf, Release> buffer(mbuf_alloc(kRoom));
  mbuf* const out = buffer.get();
  if (const auto& sender = written.sender) {
    rtcp_encode(out, RTCP_SR, count, written.from, static_cast<std::uint32_t>(sender->ntp >> 32),
                static_cast<std::uint32_t>(sender->ntp), sender->timestamp, sender->packets, sender->octets,
                static_cast<Put>(&put_blocks), static_cast<void*>(&written));
  } else {
    rtcp_encode(out, RTCP_RR, count, written.from, static_cast<Put>(&put_blocks), static_cast<void*>(&written));
  }
  rtcp_encode(out, RTCP_SDES, 1, &put_name, static_cast<void*>(&written.from));
  put_voip(out, written.from, written.voip);
  if (!written.leaving.empty()) {
    rtcp_encode(out, RTCP_BYE, static_cast<std::uint32_t>(written.leaving.size()), written.leaving.data(),
                static_cast<const char*>(nullptr));
  }
  return {buffer->buf, buffer->buf + buffer->end};
}

RtcpReport read_rtcp(Octets datagram) {
  RtcpReport report;
  while (datagram.size() >= kHeader) {
    const std::size_t size = (std::size_t{get16(datagram, 2)} + 1) * 4;  // RFC 3550, 6.4.1: words minus one
    if (size > datagram.size()) break;
    const Octets packet = datagram.first(size);
    const std::uint8_t kind = packet[1];
    if (kind == RTCP_XR) read_extended(packet, report);
    if ((kind == RTCP_SR || kind == RTCP_RR || kind == RTCP_BYE) && !read_by_libre(packet, report)) break;
    datagram = datagram.subspan(size);
  }
  return report;
}

}  // namespace vqas
