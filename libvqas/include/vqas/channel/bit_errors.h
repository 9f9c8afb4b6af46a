#pragma once

#include <cstdint>
#include <span>

#include "vqas/channel/geometric_gaps.h"

namespace vqas {

/// Inverts bits of an octet stream at a fixed rate, each bit independently of all others. It goes from bad bit to bad
/// bit by geometric gaps, so the cost goes with the errors, not with the bits. Bits are counted from the most
/// significant of each octet, the first on the line (ITU-T G.711). What is inverted depends on rate, seed and stream
/// number alone, never on how the octets were cut into blocks. No allocation; real-time safe; for one thread.
class BitErrorInjector {
 public:
  /// `ber` is 0 or 1e-12..0.5; what is negative or no number counts as 0, what is above as 0.5. `seed` and `stream`
  /// choose independent sequences.
  explicit BitErrorInjector(double ber, std::uint64_t seed, std::uint64_t stream = 0);

  /// Inverts what is due among the next `octets`.
  void process(std::span<std::uint8_t> octets) {
    const std::uint64_t bits = std::uint64_t{8} * octets.size();
    bits_ += bits;
    if (to_next_error_ >= bits) {
      to_next_error_ -= bits;
    } else {
      invert_due_bits(octets);
    }
  }

  /// Of the stream so far.
  std::uint64_t bits() const { return bits_; }
  std::uint64_t errors() const { return errors_; }
  /// What was asked for.
  double ber() const { return gaps_.ber(); }

 private:
  void invert_due_bits(std::span<std::uint8_t> octets);

  GeometricGaps gaps_;
  std::uint64_t to_next_error_;
  std::uint64_t bits_ = 0;
  std::uint64_t errors_ = 0;
};

}  // namespace vqas
