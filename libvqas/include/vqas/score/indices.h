#pragma once

#include <optional>
#include <vector>

namespace vqas {

/// Effect of the line on the band, from the cross-spectrum (after a coder, from the powers): noise does not change it.
struct BandLoss {
  /// Lowest and highest frequency received within 3 dB of the middle of the band (500..2500 Hz), Hz. For a line without
  /// loss, the limits of the reference, at most 60 and 3850 Hz.
  double low_hz = 0;
  double high_hz = 0;
  /// Share of the reference's loudness, summed over Bark bands, that the response removes; 0..1.
  double loudness_lost = 0;
};

/// Speech of the reference that did not arrive, in ms. Pauses of the talker do not count, gaps below 200 ms inside
/// words do. The three add up to all missing speech.
struct MissingSpeech {
  double front_ms = 0;   ///< from the start of the speech, without a break
  double middle_ms = 0;  ///<
  double tail_ms = 0;    ///< to the end of the speech, without a break
  double speech_ms = 0;  ///< speech in the reference, counted in the same way
  int gaps = 0;          ///< missing segments in the middle
  double total_ms() const { return front_ms + middle_ms + tail_ms; }
};

/// Slow changes of level, from one 0.4 s of speech to the next.
struct LevelTrack {
  struct Point {
    double at_s = 0;     ///< middle of the window, in the reference
    double gain_db = 0;  ///< of the line there, against the median of the recording
  };
  double range_db = 0;  ///< highest minus lowest gain
  std::vector<Point> points;
};

/// Sound in the talker's pauses, except what his voice explains. 0 dBm0 is that of zero_dbm0_dbov() in idle_noise.h:
/// the receiver's own, unless the recording is louder or weaker than a network makes it.
struct PauseNoise {
  /// Psophometrically weighted (ITU-T O.41); the limit is kMostIdleNoiseDbm0p of idle_noise.h. This and the next are
  /// kLeastIdleNoiseDbm0p where they are so much or less.
  double dbm0p = 0;
  double tone_dbm0 = 0;  ///< its strongest single frequency, unweighted; the limit is kMostIdleToneDbm0
  /// The cost of this noise alone, as in ImpairmentFinding::cost_mos; nothing if it was not measured.
  std::optional<double> cost_mos = std::nullopt;
};

/// Properties that the label of P.862.1 does not cover. Measured where both recordings match; all rounded to 1e-4.
struct Indices {
  BandLoss band_loss;
  MissingSpeech missing;
  LevelTrack level_track;
  std::optional<PauseNoise> noise;  ///< nothing if the talker never pauses for 32 ms, and for long recordings
};

}  // namespace vqas
