#include "score/frame_correlator.h"

#include <algorithm>
#include <cmath>

#include "score/kernels.h"

namespace vqas::scoring {

void FrameCorrelator::assign(std::span<const float> reference) {
  reference_ = reference;
  const int hop = model_.hop;
  const auto frames = (reference.size() - static_cast<std::size_t>(model_.frame)) / static_cast<std::size_t>(hop) + 1;
  half_.resize(frames + 1);
  energy_.resize(frames);
  weight_.resize(frames);
  const auto energy_of = [&](std::size_t half) {
    const float* at = reference.data() + half * static_cast<std::size_t>(hop);
    return static_cast<double>(dot_product(at, at, hop));
  };
  double before = energy_of(0);
  double total = 0;
  for (std::size_t j = 0; j < frames; ++j) {
    const double after = energy_of(j + 1);
    energy_[j] = before + after;
    total += energy_[j];
    before = after;
  }
  mean_energy_ = total / static_cast<double>(frames) + 1e-20;
  for (std::size_t j = 0; j < frames; ++j) {
    weight_[j] = static_cast<float>(std::min(1.0, std::sqrt(energy_[j] / mean_energy_)));
  }
}

void FrameCorrelator::correlate(int delay, const PaddedSignal& degraded, float sign, std::span<float> out) {
  const int hop = model_.hop;
  for (std::size_t half = 0; half < half_.size(); ++half) {
    const int position = static_cast<int>(half) * hop;
    half_[half] = sign * dot_product(reference_.data() + position, degraded.at(position + delay, hop), hop);
  }
  const double floor = 1e-12 * mean_energy_ * mean_energy_ + 1e-20;
  for (std::size_t j = 0; j < weight_.size(); ++j) {
    const int position = static_cast<int>(j) * hop + delay;
    const double both = degraded.energy(position, hop) + degraded.energy(position + hop, hop);
    out[j] = static_cast<float>((half_[j] + half_[j + 1]) / std::sqrt(energy_[j] * std::max(0.0, both) + floor));
  }
}

}  // namespace vqas::scoring
