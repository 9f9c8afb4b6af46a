#pragma once

#include <span>

#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// 0 dBm0 on a mu-law line, in dBov; a full-scale square wave is 0 dBov, a full-scale sine -3.01 (ITU-T G.711,
/// G.100.1).
inline constexpr double kZeroDbm0MuLawDbov = -6.18;
/// The same on an A-law line.
inline constexpr double kZeroDbm0ALawDbov = -6.15;
/// The active speech level at which VQAS keeps and sends stimuli, in dBov (ITU-T P.56, P.830).
inline constexpr double kNominalSpeechLevelDbov = -26.0;

/// Levels of a recording of speech (ITU-T P.56, method B).
struct SpeechLevel {
  double active_level_dbov = 0;     ///< level while the talker is active
  double long_term_level_dbov = 0;  ///< level over the whole recording
  double activity_factor = 0;       ///< share of the time during which the talker is active, 0..1
};

/// Measures the active speech level by ITU-T P.56 method B (envelope of 30 ms, 200 ms hangover, margin 15.9 dB).
/// Fails with bad_input when the samples are empty, hold a value that is not finite, or never rise above digital
/// silence. Re-entrant; allocates nothing but is not meant for a real-time thread.
Result<SpeechLevel> measure_speech_level(std::span<const float> samples, int rate_hz);

/// Root mean square in dBov; minus infinity for silence or an empty span.
double rms_dbov(std::span<const float> samples);

double db_to_amplitude(double db);
double amplitude_to_db(double amplitude);

}  // namespace vqas
