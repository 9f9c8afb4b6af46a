#pragma once

#include <span>
#include <vector>

#include "score/fft.h"
#include "score/model.h"
#include "score/padded_signal.h"

namespace vqas::scoring {

/// The four measurements of the auditory distance.
struct Measurements {
  double changed = 0;   ///< D1: loudness difference over all cells
  double raised = 0;    ///< D2: over the cells that were raised by more than 7 dB
  double inserted = 0;  ///< J+: hundreds of milliseconds inserted per second of speech
  double deleted = 0;   ///< J-: and deleted
};

/// The perceptual transform and the comparison of two aligned recordings. Holds its plan and work space; the loop over
/// frames allocates nothing. For one thread.
class Perception {
 public:
  explicit Perception(const PerceptualModel& model);

  /// Band powers of both recordings, frame by frame, the degraded one at its delay. One complex FFT serves both.
  void transform(std::span<const float> reference, const PaddedSignal& degraded, std::span<const int> delay);

  /// Compares what transform() left. `least_degraded_power` is the mean level power of a degraded frame (before any
  /// normalisation) below which it is not lifted to the reference's level: what is quieter has not arrived. `cells`, if
  /// wanted, gets the loudness of the degraded minus that of the reference, band by band.
  Measurements compare(std::span<const int> delay, double least_degraded_power, std::vector<float>* cells = nullptr);

  /// How much of the reference's pattern over time and frequency is found in the degraded recording: correlation of the
  /// loudness over bands and active frames, means over time and over bands removed; -1..1. After compare().
  double pattern_match() const { return pattern_match_; }

  /// Weighted mean of the frames' waveform correlation between 400 and 1800 Hz, times `sign`; -1..1. Frames in a
  /// stretch of steady delay that is shorter than half a second count less: a voice of steady pitch agrees with any
  /// other sentence for a moment. After transform() with the same delays.
  double waveform_match(std::span<const int> delay, float sign) const;

  int frames() const { return frames_; }
  /// Mean power of a frame of the reference in the bands that set the level, before normalisation; after transform().
  double reference_power() const;
  double degraded_power() const;
  /// 1 for each active frame of the reference; after transform().
  std::span<const char> active() const { return active_; }
  /// Standard deviation of the active frames' level of the reference, in dB; after transform().
  double level_variation_db() const;
  int active_frames() const { return active_count_; }

 private:
  void compare_waveforms(int frame);
  void find_activity();
  void normalise(double least_degraded_power);
  void forgive_response();
  void forgive_gain();
  double worst_over_time(std::span<const float> distance) const;
  void count_jumps(std::span<const int> delay, Measurements& result) const;
  double match_patterns();
  void hand_out(int band, float floor, std::vector<float>& cells) const;
  std::span<float> row(std::vector<float>& cells, int band) {
    return {cells.data() + static_cast<std::size_t>(band) * frames_, static_cast<std::size_t>(frames_)};
  }
  std::span<const float> row(const std::vector<float>& cells, int band) const {
    return {cells.data() + static_cast<std::size_t>(band) * frames_, static_cast<std::size_t>(frames_)};
  }

  PerceptualModel model_;
  int bands_;
  std::vector<float> window_;
  std::vector<double> width_bark_;
  std::vector<float> handset_;
  std::vector<char> sets_level_;
  double total_bark_ = 0;
  ComplexFft fft_;
  FftBuffer<Complex> work_;

  int frames_ = 0;
  int active_count_ = 0;
  double reference_scale_ = 0;
  std::vector<float> reference_, degraded_;  // cells, band by band
  std::vector<float> reference_level_, degraded_level_;
  std::vector<float> reference_sum_, degraded_sum_, gain_;
  std::vector<float> changed_, raised_;
  std::vector<char> active_;
  std::vector<float> cross_, match_reference_, match_degraded_;
  int match_from_bin_ = 0;
  int match_to_bin_ = 0;
  double pattern_match_ = 0;
};

/// AD of the measurements, >= 0.
double auditory_distance(const Measurements& measurements, const PerceptualModel& model);

}  // namespace vqas::scoring
