#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace vqas {

/// The band of a telephone channel, 300..3400 Hz (ITU-T G.712), at 8 kHz: a linear-phase FIR filter, so its delay is
/// the same whole number of samples at every frequency. Difference of two Kaiser-windowed low-passes at 208 and 3492
/// Hz; 129 taps at 50 dB give transitions of 183 Hz. Flat to ±0.05 dB from 300 to 3400 Hz, 47 dB down below 117 Hz (DC,
/// mains hum and its octave) and above 3583 Hz: steeper and flatter than G.712 requires. libvqas/doc/channel.md.
///
/// The output does not depend on block sizes. No allocation; real-time safe; for one thread.
class BandFilter {
 public:
  static constexpr std::size_t kLatency = 64;
  static constexpr std::size_t kMaxBlock = 128;
  static constexpr double kTelephoneUpperHz = 3491.5;  ///< middle of 3400..3583
  static constexpr double kNarrowUpperHz = 2691.5;     ///< middle of 2600..2783: Band::long_distance

  BandFilter() : BandFilter(kTelephoneUpperHz) {}
  /// With the middle of the upper transition elsewhere, 1000..3491.5 Hz.
  explicit BandFilter(double upper_hz);
  /// In place; at most kMaxBlock samples.
  void process(std::span<float> block);

 private:
  static constexpr std::size_t kHistory = 2 * kLatency;

  std::array<float, kLatency + 1> weights_;  // [0]: both ends; [kLatency]: the middle
  std::array<float, kHistory + kMaxBlock> samples_{};
};

}  // namespace vqas
