#pragma once

#include <cstddef>
#include <vector>

namespace vqas::scoring {

/// What the comparison takes from a recording as a whole, its level and the line's response, before anything is made of
/// it: sums over frames, which add up over the segments of a longer recording. Powers are in squares of the samples.
struct FrameSums {
  int frames = 0;
  int sound_frames = 0;                                 ///< of the reference, without silence around its sound
  int active_frames = 0;                                ///< of the reference
  int loud_frames = 0;                                  ///< of the reference
  double reference_power = 0, degraded_power = 0;       ///< of the sound, in the bands that set the level
  std::vector<double> reference_bands, degraded_bands;  ///< of active frames, one a band

  void add(const FrameSums& other) {
    frames += other.frames;
    sound_frames += other.sound_frames;
    active_frames += other.active_frames;
    loud_frames += other.loud_frames;
    reference_power += other.reference_power;
    degraded_power += other.degraded_power;
    reference_bands.resize(other.reference_bands.size(), 0.0);
    degraded_bands.resize(other.degraded_bands.size(), 0.0);
    for (std::size_t band = 0; band < other.reference_bands.size(); ++band) {
      reference_bands[band] += other.reference_bands[band];
      degraded_bands[band] += other.degraded_bands[band];
    }
  }
  /// Of recordings whose samples are multiplied with these.
  FrameSums scaled(double reference_gain, double degraded_gain) const {
    FrameSums result = *this;
    const double reference = reference_gain * reference_gain;
    const double degraded = degraded_gain * degraded_gain;
    result.reference_power *= reference;
    result.degraded_power *= degraded;
    for (double& power : result.reference_bands) power *= reference;
    for (double& power : result.degraded_bands) power *= degraded;
    return result;
  }
};

}  // namespace vqas::scoring
