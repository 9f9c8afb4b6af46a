#pragma once

#include <span>
#include <vector>

#include "score/dsp/padded_signal.h"
#include "score/model/model.h"

namespace vqas::scoring {

/// Normalised waveform correlation of each frame of the reference with the degraded recording at given delays.
/// For one thread.
class FrameCorrelator {
 public:
  explicit FrameCorrelator(const AlignmentModel& model) : model_(model) {}

  /// `reference` holds at least one frame and must stay alive.
  void assign(std::span<const float> reference);
  int frames() const { return static_cast<int>(weight_.size()); }
  /// How much each frame's correlation says: 1 for a frame of mean energy or more, falling with the amplitude.
  std::span<const float> weights() const { return weight_; }
  /// Correlation of every frame at each of `delays`, -1..1, to `out`: delays.size() values for the first
  /// frame, then for the next one.
  void correlate(std::span<const int> delays, const PaddedSignal& degraded, std::span<float> out);

 private:
  AlignmentModel model_;
  std::span<const float> reference_;
  std::vector<float> energy_;
  std::vector<float> weight_;
  std::vector<float> half_, seen_;  // of half frames and delays: products with the degraded recording, and its energy
  std::vector<float> repeated_;     // energy_ as often as there are delays
  std::vector<const float*> at_;    // of each delay
  double mean_energy_ = 0;
};

}  // namespace vqas::scoring
