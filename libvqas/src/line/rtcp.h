#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vqas {

/// An RTCP packet with which a source leaves a call (RFC 3550, 6.6): an empty report, its CNAME, BYE. Re-entrant.
std::vector<std::uint8_t> rtcp_goodbye(std::uint32_t ssrc);

/// Whether a datagram is RTCP in which this source leaves. Accepts arbitrary octets: false for anything else.
/// Re-entrant.
bool says_goodbye(std::span<const std::uint8_t> datagram, std::uint32_t ssrc);

}  // namespace vqas
