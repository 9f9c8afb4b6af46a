#pragma once

#include <cstdint>

namespace vqas {

/// What the parts of a real line noticed in a segment of it. A sum over blocks; `jitter_ms` is that of the last block.
struct LineStatistics {
  // Flags of a sound device: callbacks in which the system told of them. A flag alone says nothing of the signal.
  std::uint32_t input_overflows = 0;    ///< the device had more than it could hand over
  std::uint32_t input_underflows = 0;   ///< the system filled a gap of the input
  std::uint32_t output_overflows = 0;   ///< what was given was not played
  std::uint32_t output_underflows = 0;  ///< the system filled a gap of the output
  // Samples at 8 kHz that the node itself lost or made up because it was too slow.
  std::uint32_t lost_samples = 0;      ///< heard and dropped
  std::uint32_t inserted_samples = 0;  ///< silence played because nothing was ready
  // Packets of RTP (RFC 3550).
  std::uint32_t packets = 0;            ///< that came
  std::uint32_t packets_lost = 0;       ///< that did not come until they were to be played
  std::uint32_t packets_late = 0;       ///< that came after their time, and count as lost too
  std::uint32_t packets_repeated = 0;   ///< that had come before
  std::uint32_t packets_discarded = 0;  ///< that came and were not heard: of another source, or passed over by a step
  std::uint32_t packets_of_others = 0;  ///< of these: of another source than the one that is heard
  /// Of these: with a number that had come with another content. The source that is heard did not send both.
  std::uint32_t packets_contradicting = 0;
  std::uint32_t source_changes = 0;     ///< times at which another source was heard from then on
  std::uint32_t silence_samples = 0;    ///< at 8 kHz, played while the buffer filled again within a stream
  std::uint32_t concealed_samples = 0;  ///< at 8 kHz, made up in place of lost packets
  std::uint32_t buffer_steps = 0;       ///< times at which the jitter buffer changed its delay
  /// Times at which it was set anew while nothing was under way, because the way had become shorter or longer.
  std::uint32_t buffer_resets = 0;
  double jitter_ms = 0;  ///< interarrival jitter, RFC 3550 clause 6.4.1

  std::uint32_t flags() const { return input_overflows + input_underflows + output_overflows + output_underflows; }
  LineStatistics& operator+=(const LineStatistics& more);
  bool operator==(const LineStatistics&) const = default;
};

/// True for a segment without flags, faults and packets.
bool is_uneventful(const LineStatistics& statistics);

}  // namespace vqas
