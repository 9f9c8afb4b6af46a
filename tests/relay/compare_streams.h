#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vqas::test {

/// Differences between a stream after a jitter buffer and the stream before it.
struct StreamComparison {
  std::size_t compared = 0;   ///< octets
  std::size_t differing = 0;  ///< of these, octets that differ
  int slips = 0;              ///< places where the jitter buffer left out, repeated or inserted something
  std::size_t offset = 0;     ///< of the first packet, in the stream before the jitter buffer
};

/// Compares packet by packet (160 octets). A packet missing at its place is searched nearby as a whole, without a
/// single wrong octet; only if found there, the jitter buffer has slipped. A packet found nowhere counts as different.
inline StreamComparison compare_streams(std::span<const std::uint8_t> in, std::span<const std::uint8_t> out) {
  constexpr std::size_t kPacket = 160;
  constexpr std::size_t kReach = 4000;
  const auto equal_at = [&](std::size_t at, std::span<const std::uint8_t> packet) {
    return at + kPacket <= in.size() &&
           std::equal(packet.begin(), packet.end(), in.begin() + static_cast<std::ptrdiff_t>(at));
  };
  const auto find = [&](std::size_t around, std::span<const std::uint8_t> packet) -> std::optional<std::size_t> {
    for (std::size_t at = around > kReach ? around - kReach : 0; at < around + kReach; ++at) {
      if (equal_at(at, packet)) return at;
    }
    return std::nullopt;
  };
  StreamComparison result;
  std::optional<std::size_t> at;
  for (std::size_t begin = 0; begin + kPacket <= out.size(); begin += kPacket) {
    const auto packet = out.subspan(begin, kPacket);
    // Silence at the start, and the filling of an empty jitter buffer.
    if (std::all_of(packet.begin(), packet.end(), [&](std::uint8_t o) { return o == packet[0]; })) {
      result.slips += at ? 1 : 0;
      continue;
    }
    const std::size_t expected = at.value_or(0);
    if (!at || !equal_at(expected, packet)) {
      const auto found = find(expected, packet);
      if (found && at) ++result.slips;
      if (found && !at) result.offset = *found;
      if (found) at = found;
      if (!found) {
        const std::size_t there = std::min(kPacket, in.size() - std::min(in.size(), expected));
        for (std::size_t i = 0; i < there; ++i) result.differing += in[expected + i] != packet[i] ? 1 : 0;
      }
    }
    result.compared += kPacket;
    at = at.value_or(0) + kPacket;
  }
  return result;
}

}  // namespace vqas::test
