#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace vqas {

/// An RTCP packet with which a source leaves a call (RFC 3550, 6.6): an empty report, its name, BYE. Re-entrant.
std::vector<std::uint8_t> rtcp_goodbye(std::uint32_t ssrc);

/// Whether a datagram is RTCP in which this source leaves. Anybody's octets will do: what is no RTCP says nothing.
/// Re-entrant.
bool says_goodbye(std::span<const std::uint8_t> datagram, std::uint32_t ssrc);

}  // namespace vqas
