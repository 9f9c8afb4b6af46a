#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vqas {

/// Reads a stream of samples at positions between them: output m is the band-limited signal at m · step + phase. The
/// position is an integer and a 64-bit fraction, so it is off by less than 1e-6 of a sample after a day.
///
/// Interpolation by a Kaiser-windowed sinc of 48 taps, with cutoff at half the sampling rate; its 256 phases are
/// interpolated linearly. By Kaiser's formula (J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh
/// window function", ISCAS 1974) 48 taps with a transition of 3600..4400 Hz at 8 kHz give 75 dB, for images as for the
/// passband. Measured figures: libvqas/doc/channel.md. At a whole position the result is the sample itself.
///
/// No allocation after construction; real-time safe; for one thread.
class FractionalReader {
 public:
  /// Number of samples by which writing must lead the position without phase: half the taps and one for the phase.
  static constexpr std::size_t kLatency = 25;

  /// `step` is 0.5..1.5, in written samples per output.
  explicit FractionalReader(double step);

  void write(float sample) {
    ++written_;
    const std::size_t at = static_cast<std::size_t>(written_) % kRing;
    ring_[at] = sample;
    ring_[at + kRing] = sample;
  }
  /// True when read() can be called. Between two writes read() must be called until this is false.
  bool ready() const { return written_ >= whole_ + static_cast<std::int64_t>(kLatency); }
  /// The next output.
  float read();
  /// Moves all further positions: -0.5..0.5 samples, later in the written stream if positive.
  void set_phase(double phase);

 private:
  static constexpr std::size_t kTaps = 48;
  static constexpr std::size_t kPhases = 256;
  static constexpr std::size_t kRing = 64;  // taps, latency and waiting samples, rounded up to a power of two

  std::vector<float> table_;             // kPhases + 1 rows of kTaps
  std::array<float, 2 * kRing> ring_{};  // each sample twice, so that any 48 are contiguous
  std::int64_t written_ = -1;            // index of the newest sample
  std::int64_t whole_ = 0;               // the position without phase
  std::uint64_t fraction_ = 0;           // in 2^-64 samples
  std::int64_t step_whole_;
  std::uint64_t step_fraction_;
  std::uint64_t phase_;  // phase + 0.5, in 2^-64 samples
};

}  // namespace vqas
