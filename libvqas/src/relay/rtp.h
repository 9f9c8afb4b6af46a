#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace vqas {

/// Why a packet is not an RTP packet.
enum class RtpFault : std::uint8_t {
  none,
  too_short,  ///< shorter than the fixed header and what it announces
  version,    ///< not version 2
  padding,    ///< more padding than octets, or padding of length 0
};

/// The header of an RTP packet: IETF RFC 3550, clause 5.1.
struct RtpHeader {
  std::uint8_t payload_type = 0;
  bool marker = false;
  std::uint16_t sequence = 0;
  std::uint32_t timestamp = 0;
  std::uint32_t ssrc = 0;
  std::size_t payload_begin = 0;  ///< octets before the payload: header, sources and extension
  std::size_t payload_size = 0;   ///< octets, without padding
};

/// The static payload types of G.711: RFC 3551, table 4.
inline constexpr std::uint8_t kPayloadPcmu = 0;
inline constexpr std::uint8_t kPayloadPcma = 8;

/// A header, or the fault.
struct RtpParse {
  RtpHeader header;
  RtpFault fault = RtpFault::none;
  explicit operator bool() const { return fault == RtpFault::none; }
};

/// Reads the header of any octets; never reads beyond them. Real-time safe, re-entrant.
RtpParse parse_rtp(std::span<const std::uint8_t> packet);

/// True for an RTCP packet on the port of RTP: RFC 5761, clause 4.
bool is_rtcp(std::span<const std::uint8_t> packet);

}  // namespace vqas
