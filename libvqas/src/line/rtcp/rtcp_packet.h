#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vqas {

/// What a receiver reports on a stream: RFC 3550, clause 6.4.1.
struct RtcpReportBlock {
  std::uint32_t ssrc = 0;      ///< of the stream
  std::uint8_t fraction = 0;   ///< packets lost since the report before, in 1/256
  std::int32_t lost = 0;       ///< packets, since the stream began, -2^23..2^23-1
  std::uint32_t highest = 0;   ///< sequence number, extended by its wraps
  std::uint32_t jitter = 0;    ///< in the stream's timestamp units
  std::uint32_t last_sr = 0;   ///< middle 32 bits of the NTP time in the last sender report; 0: none
  std::uint32_t since_sr = 0;  ///< from its arrival to this report, in 1/65536 s
  bool operator==(const RtcpReportBlock&) const = default;
};

/// What a sender reports on its stream: RFC 3550, clause 6.4.1.
struct RtcpSenderInfo {
  std::uint64_t ntp = 0;        ///< time of the report, in 2^-32 s
  std::uint32_t timestamp = 0;  ///< the same time by the stream's clock
  std::uint32_t packets = 0, octets = 0;
  bool operator==(const RtcpSenderInfo&) const = default;
};

/// VoIP metrics: RFC 3611, clause 4.7. Values that VQAS neither sends nor uses are left out.
struct RtcpVoipMetrics {
  std::uint32_t ssrc = 0;                  ///< of the stream
  std::uint8_t loss = 0, discard = 0;      ///< of all packets, in 1/256: lost; too late or too early to be played
  std::uint8_t burst_density = 0;          ///< share of lost and discarded packets within bursts, in 1/256
  std::uint8_t gap_density = 0;            ///< the same between bursts
  std::uint16_t burst_ms = 0, gap_ms = 0;  ///< their mean lengths
  std::uint16_t round_trip_ms = 0;         ///< 0: unknown
  std::uint16_t buffer_ms = 0;             ///< nominal delay of the jitter buffer
  std::optional<std::uint8_t> mos_lq_tenths = {};  ///< listening quality, 10..50
  bool operator==(const RtcpVoipMetrics&) const = default;
};

/// What a compound RTCP packet says, as far as VQAS uses it.
struct RtcpReport {
  std::uint32_t from = 0;  ///< SSRC of the source that reports
  std::optional<RtcpSenderInfo> sender = {};
  std::vector<RtcpReportBlock> blocks = {};  ///< at most 31 are written
  std::vector<RtcpVoipMetrics> voip = {};
  std::vector<std::uint32_t> leaving = {};  ///< sources that leave (BYE)
  bool operator==(const RtcpReport&) const = default;
};

/// The packet that says it: a sender report, or a receiver report without `sender`; the source's CNAME; extended
/// reports; BYE. Re-entrant.
std::vector<std::uint8_t> rtcp_packet(const RtcpReport& report);

/// Reads a datagram of arbitrary octets. Other packets within it are skipped, and what follows a damaged one is not
/// read. Re-entrant.
RtcpReport read_rtcp(std::span<const std::uint8_t> datagram);

}  // namespace vqas
