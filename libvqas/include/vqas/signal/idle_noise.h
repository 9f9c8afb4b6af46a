#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

namespace vqas {

/// The limits for noise on a good circuit without speech: the idle noise of a PCM channel by ITU-T G.712,
/// psophometrically weighted (ITU-T O.41), and its single frequencies, measured selectively and unweighted. Used by the
/// readiness test of a line and by the diagnosis of a score.
inline constexpr double kMostIdleNoiseDbm0p = -65;
inline constexpr double kMostIdleToneDbm0 = -50;
/// Not measured below: the steps of G.711 and of 16 bits hide it. What is weaker, also digital silence, has this value.
inline constexpr double kLeastIdleNoiseDbm0p = -80;

/// Level of 0 dBm0, in dBov, in a recording of a line with that gain: the receiver's own by ITU-T G.711 while the loss
/// of the line is 0 to 6 dB, which a network may have by plan. The gain outside that range belongs to the recording.
double zero_dbm0_dbov(double line_gain_db);

/// Weight of a psophometer at a frequency, in dB: 0 at 800 Hz, -85 below 16.66 Hz (ITU-T O.41, table 1, linear in dB
/// between its frequencies).
double psophometric_weight_db(double frequency_hz);

/// "-67.8 dBm0p, 2.8 dB below the limit of a good circuit (-65 dBm0p, ITU-T G.712)"; "-80 dBm0p or less, ..." at the
/// least that is measured.
std::string idle_noise_in_words(double dbm0p);

/// Noise in the telephone band, at 8 kHz, as recorded.
struct IdleNoise {
  double weighted_dbov = 0;    ///< psophometrically weighted
  double unweighted_dbov = 0;  ///< 0..4000 Hz
  double tone_dbov = 0;        ///< the strongest band of about 100 Hz, unweighted: a tone, where there is one
  double tone_hz = 0;
};

/// Measures noise in pieces without speech. Holds its plan and sums; for one thread.
class IdleNoiseMeter {
 public:
  static constexpr std::size_t kFrame = 256;  ///< samples: 32 ms, the shortest piece that can be measured

  IdleNoiseMeter();
  ~IdleNoiseMeter();
  IdleNoiseMeter(IdleNoiseMeter&&) noexcept;
  IdleNoiseMeter& operator=(IdleNoiseMeter&&) noexcept;

  /// Discards what was added.
  void reset();
  /// Adds the frames of a piece, 32 ms each, overlapping by half; a piece shorter than a frame adds nothing.
  void add(std::span<const float> piece);
  /// Result over all frames added; nothing when there were none.
  std::optional<IdleNoise> result() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace vqas
