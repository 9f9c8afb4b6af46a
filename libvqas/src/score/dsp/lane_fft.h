#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "score/dsp/kernels.h"
#include "signal/aligned.h"

namespace vqas::scoring {

/// Frames that are transformed at once.
inline constexpr std::size_t kFramesAtOnce = 2 * kLanes;

/// What is summed over the bins of a frame. The spectrum has twice the amplitudes of the differenced frame (see
/// LaneFft).
struct LaneSums {
  std::span<const int> edges;        ///< of the bands, in bins
  int match_from = 0, match_to = 0;  ///< bins, half open, within the bands
  std::span<const float> weight;     ///< of each bin's power
};

/// FFTs of many frames side by side, one a lane: a frame alone is too short to fill wide registers. Two real frames
/// share a complex lane. Every addition has its order, so results do not depend on the processor. Holds its work space;
/// for one thread.
///
/// Each sample loses the one before it in front of the window. A hum below the voice is weakened by that. Else the
/// window, which spreads a line over several bins, would put it into the bands above.
class LaneFft {
 public:
  /// So many samples in front of each frame are read.
  static constexpr int kBefore = 1;
  /// Power of a sine of so many cycles a sample behind the difference, over that in front of it.
  static double power_of_difference(double frequency);

  /// `window`: as long as a frame, a power of two of 16 samples or more.
  explicit LaneFft(std::span<const float> window);

  using Frames = std::array<const float*, kFramesAtOnce>;
  void transform(const Frames& frames);

  /// After transform(), kFramesAtOnce values for each band: the powers of its bins, each times its weight.
  std::span<const float> bands() const { return bands_; }
  /// And for the bins of the match: their power, and the cross-spectrum's real part with another batch, with weights
  /// too.
  std::span<const float> match_power() const { return match_power_; }
  std::span<const float> cross() const { return cross_; }
  /// Values that the spectrum of a batch has in the bins of the match.
  static std::size_t spectrum_size(const LaneSums& of) {
    return static_cast<std::size_t>(of.match_to - of.match_from) * 2 * kFramesAtOnce;
  }
  /// Sums of the last transform(); keeps its spectrum where the match is.
  void sum(const LaneSums& of, std::span<float> spectrum);
  /// The same beside the spectrum of another batch.
  void sum_beside(const LaneSums& of, std::span<const float> other);
  /// The same without a match.
  void sum_bands(const LaneSums& of);

 private:
  std::size_t size_;
  std::vector<float> window_, twiddles_;
  AlignedVector<float> re_, im_, bands_, match_power_, cross_;
  std::vector<int> place_;  // of each bin
};

// The inner loops; rows have kLanes values.

/// re[n] and im[n] hold window[n] times the difference at sample n of the first and of the second half of the
/// frames.
void load_lanes(const LaneFft::Frames& frames, std::span<const float> window, float* re, float* im);
/// A transform in place, which leaves the bins in another order; `twiddles` as LaneFft makes them.
void transform_lanes(float* re, float* im, std::size_t size, const float* twiddles);
/// Where sum_lanes() writes its sums and the spectrum, and the other batch that it compares with. Null: not wanted.
struct LaneResults {
  float* bands = nullptr;
  float* match_power = nullptr;
  float* cross = nullptr;
  const float* other = nullptr;
  float* spectrum = nullptr;
};
void sum_lanes(const float* re, const float* im, std::span<const int> place, const LaneSums& of,
               const LaneResults& results);

}  // namespace vqas::scoring
