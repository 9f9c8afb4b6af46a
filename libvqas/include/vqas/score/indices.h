#pragma once

#include <optional>
#include <vector>

namespace vqas {

/// What the line did to the band, from the cross-spectrum (behind a coder from the powers): noise does not move it.
struct BandLoss {
  /// Lowest and highest frequency received within 3 dB of the middle of the band (500..2500 Hz), Hz. A line that loses
  /// nothing gives the ends of what the reference holds, at most 60 and 3850 Hz.
  double low_hz = 0;
  double high_hz = 0;
  /// Share of the reference's loudness, summed over Bark bands, that the response takes away; 0..1.
  double loudness_lost = 0;
};

/// Speech of the reference that did not arrive, in ms; pauses of the talker do not count, gaps below 200 ms inside
/// words do. The three add up to all that is missing.
struct MissingSpeech {
  double front_ms = 0;   ///< from the first speech on, without a break
  double middle_ms = 0;  ///<
  double tail_ms = 0;    ///< up to the last speech, without a break
  double speech_ms = 0;  ///< how much speech the reference holds, counted in the same way
  int gaps = 0;          ///< segments in the middle that are missing
};

/// Slow changes of level, from 0.4 s of speech to the next.
struct LevelTrack {
  struct Point {
    double at_s = 0;     ///< middle of the window, in the reference
    double gain_db = 0;  ///< of the line there, against the median of the recording
  };
  double range_db = 0;  ///< highest minus lowest gain
  std::vector<Point> points;
};

/// What was heard where the talker pauses, without what his voice explains. 0 dBm0 is that of
/// zero_dbm0_dbov() in idle_noise.h: the receiver's own, unless the recording is louder or weaker than a network makes
/// it.
struct PauseNoise {
  double dbm0p = 0;      ///< as a psophometer reads it (ITU-T O.41); kMostIdleNoiseDbm0p of idle_noise.h is the limit
  double tone_dbm0 = 0;  ///< its strongest single frequency, unweighted; kMostIdleToneDbm0 is the limit
  double cost_mos = 0;   ///< what this noise would cost alone, as ImpairmentFinding::cost_mos
};

/// What the label P.862.1 does not see. Measured where both recordings match; all rounded to 1e-4.
struct Indices {
  BandLoss band_loss;
  MissingSpeech missing;
  LevelTrack level_track;
  std::optional<PauseNoise> noise;  ///< nothing where the talker never pauses for 32 ms, and of long recordings
};

}  // namespace vqas
