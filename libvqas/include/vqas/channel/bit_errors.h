#pragma once

#include <cstdint>
#include <span>

#include "vqas/channel/geometric_gaps.h"

namespace vqas {

/// Inverts bits of an octet stream at a fixed rate, each bit independently of all others. It steps from error to error
/// by geometric gaps, so the cost depends on the number of errors, not of bits. Bits are counted from the most
/// significant of each octet, the first on the line (ITU-T G.711). The result depends only on rate, seed and stream
/// number, not on block sizes. No allocation; real-time safe; for one thread.
class BitErrorInjector {
 public:
  /// `ber` is 0 or 1e-12..0.5; negative values and NaN count as 0, larger ones as 0.5. `seed` and `stream` choose
  /// independent sequences.
  explicit BitErrorInjector(double ber, std::uint64_t seed, std::uint64_t stream = 0);

  /// Inverts the bits that are due among the next `octets`.
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
  /// The requested ratio.
  double ber() const { return gaps_.ber(); }

 private:
  void invert_due_bits(std::span<std::uint8_t> octets);

  GeometricGaps gaps_;
  std::uint64_t to_next_error_;
  std::uint64_t bits_ = 0;
  std::uint64_t errors_ = 0;
};

}  // namespace vqas
