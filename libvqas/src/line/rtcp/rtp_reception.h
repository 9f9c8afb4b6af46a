#pragma once

#include <cstdint>

namespace vqas {

/// A stream that is received, counted for RTCP reports. A value; for one thread.
class RtpReception {
 public:
  RtpReception(std::uint32_t ssrc, std::uint16_t first) : ssrc_(ssrc), first_(first), highest_(first) {}

  /// A packet of the stream came: RFC 3550, A.1 and A.3. Copies count as received.
  void take(std::uint16_t sequence);
  /// It came too late or too early to be played.
  void discard() { ++discarded_; }
  /// A packet was due, and was there or not: RFC 3611, A.2.
  void play(bool there);

  std::uint32_t ssrc() const { return ssrc_; }
  /// The highest sequence number, extended by its wraps.
  std::uint32_t highest() const { return highest_; }
  std::uint32_t expected() const { return highest_ - first_ + 1; }
  std::uint32_t received() const { return received_; }
  std::uint32_t discarded() const { return discarded_; }

  /// Bursts, in which fewer than 16 packets in a row are there, and the gaps between them: RFC 3611, 4.7.2.
  struct Bursts {
    double burst_density = 0, gap_density = 0;  ///< share of the packets that are missing, 0..1
    double burst_packets = 0, gap_packets = 0;  ///< mean lengths
  };
  Bursts bursts() const;
  double jitter_ms = 0;  ///< interarrival jitter

 private:
  std::uint32_t ssrc_, first_, highest_;
  std::uint32_t received_ = 0, discarded_ = 0;
  // Transitions between the states of RFC 3611, A.2: 1 there in a gap, 2 there in a burst, 3 missing in a burst, 4
  // missing in a gap.
  double c11_ = 0, c13_ = 0, c14_ = 0, c22_ = 0, c23_ = 0, c33_ = 0;
  std::uint32_t there_ = 0;    // in a row
  std::uint32_t missing_ = 0;  // in the current burst
};

}  // namespace vqas
