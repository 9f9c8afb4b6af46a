#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "vqas/channel/g711.h"
#include "vqas/channel/packet_conditions.h"

namespace vqas {

/// Fate of the packets of a voice flow.
struct PacketCounters {
  std::uint64_t sent = 0;
  std::uint64_t lost = 0;        ///< never arrived
  std::uint64_t late = 0;        ///< arrived too late to be played
  std::uint64_t overtaken = 0;   ///< arrived after a later one
  std::uint64_t duplicates = 0;  ///< arrived again; not played
  std::uint64_t concealed = 0;   ///< replaced: lost or late
  double delay_sum_ms = 0;       ///< of those that arrived, beyond the shortest possible
  double largest_delay_ms = 0;
  // Of the video that shares the bottleneck.
  std::uint64_t video_sent = 0;
  std::uint64_t video_lost = 0;
  double video_delay_sum_ms = 0;
};

/// Carries G.711 in packets, through loss, jitter, reordering and a bottleneck, to a jitter buffer of fixed length,
/// then decodes and conceals. A packet is sent when it is full; it is played `buffer_ms` later if it has arrived. All
/// randomness comes from (seed, stream) and the number of the packet. The result does not depend on block sizes. No
/// allocation after construction; process() is real-time safe without a bottleneck (with one, a packet costs a few
/// hundred events at most); for one thread.
class PacketPath {
 public:
  /// `conditions` must have passed validate() as part of a profile.
  PacketPath(const PacketConditions& conditions, G711Law law, std::uint64_t seed, std::uint64_t stream = 0);
  ~PacketPath();
  PacketPath(PacketPath&&) noexcept;
  PacketPath& operator=(PacketPath&&) noexcept;

  /// As many samples out as octets in, delayed by latency(); silence until then.
  void process(std::span<const std::uint8_t> octets, std::span<float> samples);
  /// A packet and the jitter buffer, in samples.
  std::uint64_t latency() const;
  const PacketCounters& counters() const;  ///< from the start of the path

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
