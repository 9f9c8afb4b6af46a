#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "signal/twice_rate.h"

namespace vqas::sync {

/// Turns a line's stream of 8 or 16 kHz into the 8 kHz at which marks are looked for. Sample n of the result lies at
/// the time of sample scale() * n of the stream: the filter's delay is left out, so at 16 kHz the result lags by 2 ms.
/// For one thread.
class MarkRate {
 public:
  explicit MarkRate(int rate_hz);
  /// `samples` of the stream, at 16 kHz an even number. The result is valid until the next call, and as long as
  /// `samples`.
  std::span<const float> push(std::span<const float> samples);
  /// Samples of the stream in one at 8 kHz: 1 or 2.
  std::size_t scale() const { return scale_; }

 private:
  std::size_t scale_;
  TwiceRate halving_;
  std::size_t ahead_ = TwiceRate::kDelay / 2;  // samples of the filter's delay, still to be left out
  std::vector<float> halved_;
};

/// A mark at 8 kHz as a line of this rate sends it. Re-entrant.
std::vector<float> mark_at(std::vector<float> mark, int rate_hz);

}  // namespace vqas::sync
