#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace vqas {

/// The most that a good circuit adds while nobody speaks: the idle noise of a PCM channel by ITU-T G.712, weighted by a
/// psophometer (ITU-T O.41), and its single frequencies, measured selectively and without weight. The readiness test of
/// a line and the diagnosis of a score both judge by these two.
inline constexpr double kMostIdleNoiseDbm0p = -65;
inline constexpr double kMostIdleToneDbm0 = -50;

/// What is 0 dBm0 in a recording of a line with that gain, in dBov: the receiver's own, by ITU-T G.711, where the line
/// takes off what a network may by plan, 0 to 6 dB. What is more or less than that is the recording's gain.
double zero_dbm0_dbov(double line_gain_db);

/// What a psophometer's network lets through of a frequency, in dB: 0 at 800 Hz, below 16.66 Hz -85 (ITU-T O.41,
/// table 1, linear in dB between its frequencies).
double psophometric_weight_db(double frequency_hz);

/// "-67.8 dBm0p, 2.8 dB below the limit of a good circuit (-65 dBm0p, ITU-T G.712)".
std::string idle_noise_in_words(double dbm0p);

/// Noise of a telephone band, 8 kHz, as it was recorded.
struct IdleNoise {
  double weighted_dbov = 0;    ///< as a psophometer reads it
  double unweighted_dbov = 0;  ///< 0..4000 Hz
  double tone_dbov = 0;        ///< the strongest 100 Hz or so, unweighted: a tone, where there is one
  double tone_hz = 0;
};

/// Measures noise in pieces in which nobody speaks. Holds its plan and sums; for one thread.
class IdleNoiseMeter {
 public:
  static constexpr std::size_t kFrame = 256;  ///< samples: 32 ms, the least that can be measured

  IdleNoiseMeter();
  ~IdleNoiseMeter();
  IdleNoiseMeter(IdleNoiseMeter&&) noexcept;
  IdleNoiseMeter& operator=(IdleNoiseMeter&&) noexcept;

  /// Forgets what was added.
  void reset();
  /// Adds what a piece holds in frames of 32 ms that overlap by half; a shorter piece adds nothing.
  void add(std::span<const float> piece);
  /// Of all that was added; nothing when that was nothing.
  std::optional<IdleNoise> result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
