#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "vqas/channel/random.h"

namespace vqas {

/// The smallest and the largest permitted bit error ratio besides 0.
inline constexpr double kLowestBer = 1e-12;
inline constexpr double kHighestBer = 0.5;
/// True for 0 and for kLowestBer..kHighestBer.
constexpr bool is_valid_ber(double ber) {
  return ber == 0 || (ber >= kLowestBer && ber <= kHighestBer);
}

/// Numbers of good bits before each bad one, when each bit is bad with probability `ber`, independently: geometric
/// variates by inversion, floor(ln u / ln(1 - ber)), u uniform (L. Devroye, "Non-Uniform Random Variate Generation",
/// Springer 1986, X.2). As u reaches down to 2^-64, gaps reach 44 times their mean; longer ones have a probability of
/// 2^-64. Exact to 1e-4 of a bit at 1e-12. A small value; real-time safe; for one thread.
class GeometricGaps {
 public:
  /// Result of next() at a ratio of 0.
  static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

  /// `ber` is 0 or 1e-12..0.5; negative values and NaN count as 0, larger ones as 0.5.
  explicit GeometricGaps(double ber, const Random& random) : random_(random) { set_ber(ber); }

  std::uint64_t next() {
    if (ber_ == 0) return kNever;
    // Largest: 44.4 / 1e-12, far inside 63 bits; a double holds it to 1/64 of a bit.
    const double gap = std::log(random_.next_open_unit()) * inverse_log_;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(gap));
  }

  double ber() const { return ber_; }
  /// Sets the ratio for the gaps from here on; the generator continues. Limits as for the constructor. Bits are
  /// independent, so a gap that reaches beyond the change may be cut there and drawn again at the new ratio: the result
  /// is exact.
  void set_ber(double ber) {
    ber_ = ber > 0 ? std::fmin(ber, kHighestBer) : 0;
    inverse_log_ = 1 / std::log1p(-ber_);
  }

 private:
  double ber_ = 0;
  double inverse_log_ = 0;  // unused at a ratio of 0
  Random random_;
};

}  // namespace vqas
