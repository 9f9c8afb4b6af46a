#pragma once

#include <cstdint>
#include <optional>

namespace vqas {

/// What the other end of a packet line last reported by RTCP on the stream that it receives from this end (RFC 3550,
/// clause 6.4), and on its own playing (RFC 3611, clause 4.7).
struct FarReport {
  std::uint32_t reports = 0;               ///< received in the segment; 0: the values are of an earlier report
  std::int32_t packets_lost = 0;           ///< since the stream began; negative where copies arrived
  double loss_fraction = 0;                ///< of the packets between the last two reports, 0..1
  double jitter_ms = 0;                    ///< interarrival jitter
  std::optional<double> round_trip_ms;     ///< from this end to the other and back; nothing before it is known
  std::optional<double> discard_fraction;  ///< of all packets: came too late or too early to be played, 0..1
  std::optional<double> buffer_ms;         ///< nominal delay of its jitter buffer
  std::optional<double> mos_lq;            ///< its own estimate of listening quality, 1..5

  bool operator==(const FarReport&) const = default;
};

/// Events that a real line reported over a segment: a sum over blocks. `jitter_ms` and `far` are those of the last
/// block, `sent_late_ms` is the largest of all.
struct LineStatistics {
  // Flags of a sound device: number of callbacks in which the system raised them. A flag alone does not prove a fault
  // of the signal.
  std::uint32_t input_overflows = 0;    ///< the device lost input because it was not read in time
  std::uint32_t input_underflows = 0;   ///< the system filled a gap of the input
  std::uint32_t output_overflows = 0;   ///< output was discarded
  std::uint32_t output_underflows = 0;  ///< the system filled a gap of the output
  // Samples at 8 kHz that the node itself lost or inserted because it was too slow.
  std::uint32_t lost_samples = 0;      ///< received and dropped
  std::uint32_t inserted_samples = 0;  ///< silence played because nothing was ready
  std::uint32_t unsent_samples = 0;    ///< not sent, because the output's buffer was full: the device did not take it
  // Packets of RTP (RFC 3550).
  std::uint32_t packets = 0;            ///< received
  std::uint32_t packets_lost = 0;       ///< not received by the time they had to be played
  std::uint32_t packets_late = 0;       ///< received after their time; counted as lost too
  std::uint32_t packets_repeated = 0;   ///< received a second time
  std::uint32_t packets_discarded = 0;  ///< received but not played: from another source, or skipped by a step
  std::uint32_t packets_of_others = 0;  ///< of these: from a source other than the one being played
  /// Of these: with the number of an earlier packet but different content. The source being played cannot have sent
  /// both.
  std::uint32_t packets_contradicting = 0;
  std::uint32_t source_changes = 0;     ///< how often the line switched to another source
  std::uint32_t silence_samples = 0;    ///< at 8 kHz, played while the buffer refilled within a stream
  std::uint32_t concealed_samples = 0;  ///< at 8 kHz, generated in place of lost packets
  std::uint32_t buffer_steps = 0;       ///< how often the jitter buffer changed its delay
  /// How often the buffer was reset, while no transmission was in progress, after the path delay had changed.
  std::uint32_t buffer_resets = 0;
  double jitter_ms = 0;  ///< interarrival jitter, RFC 3550 clause 6.4.1
  /// By how much a packet left this machine after its due time, in ms, >= 0: the machine's fault, not the line's.
  double sent_late_ms = 0;
  std::optional<FarReport> far = {};  ///< nothing before the first report

  std::uint32_t flags() const { return input_overflows + input_underflows + output_overflows + output_underflows; }
  LineStatistics& operator+=(const LineStatistics& more);
  bool operator==(const LineStatistics&) const = default;
};

/// True for a segment without flags, faults or packets.
bool is_uneventful(const LineStatistics& statistics);

}  // namespace vqas
