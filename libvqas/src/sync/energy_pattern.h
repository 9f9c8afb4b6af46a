#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "signal/fft.h"
#include "vqas/sync/mark.h"

namespace vqas::sync {

/// A place where the energy over time and frequency matches one of an end's hop codes.
struct PatternPlace {
  MarkKind kind = MarkKind::leading;
  std::int64_t at = 0;     ///< of the hop code's first sample in the stream, accurate to some milliseconds
  double correlation = 0;  ///< coefficient of correlation with the code's pattern, at most 1
};

/// Finds hop codes by their energy over time and frequency, without their phase. A codec that generates its own phases
/// (Codec 2, radio vocoders) defeats a matched filter but preserves the spectral envelope. Frames of 30 ms, 5 ms apart,
/// are compared with the patterns of the codes themselves, smeared as by a codec's frames. A place counts if 9/10 of
/// the energy lies in the marks' band for the whole of a code, if the correlation with one of this end's codes exceeds
/// that with both of the other end's, and if the energy is not that of single tones, which a vocoder never gives. For
/// one thread; allocates only in its results.
class EnergyPattern {
 public:
  static constexpr int kHop = 40;     ///< samples from frame to frame
  static constexpr int kFrame = 240;  ///< samples of a frame
  static constexpr int kFrames = 28;  ///< frames of a pattern: a hop code and 2 ms
  /// Samples from a hop code's first one to the last one examined.
  static constexpr std::int64_t kSpan = std::int64_t{kFrames} * kHop + kFrame;

  explicit EnergyPattern(End sender);

  /// Takes the next samples of the stream and appends each place, 5 ms apart, whose correlation reaches `least`.
  void push(std::span<const float> samples, double least, std::vector<PatternPlace>& places);

 private:
  static constexpr int kTransform = 256;
  static constexpr int kLowBin = 32, kHighBin = 67;  // 1000 and 2094 Hz
  static constexpr int kBins = kHighBin - kLowBin + 1;
  using Column = std::array<float, kBins>;

  /// One frame: the distribution of its magnitude over the band, as a share of the whole of 300–3400 Hz.
  struct Frame {
    Column shape{};
    float share = 0;  ///< of the energy, within the band
    float peak = 0;   ///< of the energy, within two bins of the strongest
  };
  Frame look(std::span<const float> samples);
  void learn(End end, MarkKind kind, std::vector<Column>& pattern);
  double correlation(const std::vector<Column>& pattern) const;
  void compare(double least, std::vector<PatternPlace>& places);

  FftBuffer<float> time_;
  FftBuffer<Complex> spectrum_;
  RealFft fft_;
  std::array<float, kFrame> window_{};
  std::array<std::vector<Column>, 4> patterns_;  // leading and trailing marks of this end, then of the other
  std::vector<float> waiting_;
  std::array<Frame, kFrames> frames_{};  // a ring
  std::int64_t count_ = 0;               // frames processed
  float shares_ = 0, peaks_ = 0;         // sums over the ring
};

}  // namespace vqas::sync
