#include "score/align/frame_correlator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "score/dsp/kernels.h"

namespace vqas::scoring {

void FrameCorrelator::assign(std::span<const float> reference) {
  reference_ = reference;
  const int hop = model_.hop;
  const auto frames = (reference.size() - static_cast<std::size_t>(model_.frame)) / static_cast<std::size_t>(hop) + 1;
  half_.resize(std::max(half_.size(), frames + 1));
  energy_.resize(frames);
  weight_.resize(frames);
  energies(reference.data(), hop, std::span(half_).first(frames + 1));
  for (std::size_t j = 0; j < frames; ++j) energy_[j] = half_[j] + half_[j + 1];
  mean_energy_ = std::accumulate(energy_.begin(), energy_.end(), 0.0) / static_cast<double>(frames) + 1e-20;
  const auto per_mean = static_cast<float>(1 / mean_energy_);
  for (std::size_t j = 0; j < frames; ++j) weight_[j] = std::min(1.0F, std::sqrt(energy_[j] * per_mean));
}

void FrameCorrelator::correlate(std::span<const int> delays, const PaddedSignal& degraded, std::span<float> out) {
  const int hop = model_.hop;
  const std::size_t count = delays.size();
  const std::size_t frames = energy_.size();
  // They never get smaller, as what grows again is filled with zeros first.
  const std::size_t cells = std::max(half_.size(), (frames + 1) * count);
  for (auto* row : {&half_, &seen_, &repeated_}) row->resize(cells);
  at_.resize(count);
  // All delays of a half frame at once: what they read lies close together.
  for (std::size_t half = 0; half <= frames; ++half) {
    const int position = static_cast<int>(half) * hop;
    for (std::size_t n = 0; n < count; ++n) at_[n] = degraded.at(position + delays[n], hop);
    products_at(reference_.data() + position, at_, hop, std::span(half_).subspan(half * count, count),
                std::span(seen_).subspan(half * count, count));
  }
  for (std::size_t j = 0; j < frames; ++j) std::fill_n(repeated_.begin() + j * count, count, energy_[j]);
  normalise_correlation(half_, seen_, count, repeated_, static_cast<float>(1e-12 * mean_energy_ * mean_energy_ + 1e-20),
                        out);
}

}  // namespace vqas::scoring
