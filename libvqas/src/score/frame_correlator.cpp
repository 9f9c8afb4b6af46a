#include "score/frame_correlator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "score/kernels.h"

namespace vqas::scoring {

void FrameCorrelator::assign(std::span<const float> reference) {
  reference_ = reference;
  const int hop = model_.hop;
  const auto frames = (reference.size() - static_cast<std::size_t>(model_.frame)) / static_cast<std::size_t>(hop) + 1;
  half_.resize(frames + 1);
  seen_.resize(frames + 1);
  energy_.resize(frames);
  weight_.resize(frames);
  for (std::size_t half = 0; half <= frames; ++half) {
    const float* at = reference.data() + half * static_cast<std::size_t>(hop);
    half_[half] = dot_product(at, at, hop);
  }
  for (std::size_t j = 0; j < frames; ++j) energy_[j] = half_[j] + half_[j + 1];
  mean_energy_ = std::accumulate(energy_.begin(), energy_.end(), 0.0) / static_cast<double>(frames) + 1e-20;
  const auto per_mean = static_cast<float>(1 / mean_energy_);
  for (std::size_t j = 0; j < frames; ++j) weight_[j] = std::min(1.0F, std::sqrt(energy_[j] * per_mean));
}

void FrameCorrelator::correlate(int delay, const PaddedSignal& degraded, float sign, std::span<float> out) {
  const int hop = model_.hop;
  for (std::size_t half = 0; half < half_.size(); ++half) {
    const int position = static_cast<int>(half) * hop;
    const Products both = products(reference_.data() + position, degraded.at(position + delay, hop), hop);
    half_[half] = sign * both.cross;
    seen_[half] = both.energy;
  }
  normalise_correlation(half_, seen_, energy_, static_cast<float>(1e-12 * mean_energy_ * mean_energy_ + 1e-20), out);
}

}  // namespace vqas::scoring
