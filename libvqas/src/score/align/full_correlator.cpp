#include "score/align/full_correlator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "score/dsp/kernels.h"

namespace vqas::scoring {
namespace {

// Copies `from` without its mean into `to`, which is longer and zero behind it; returns the norm.
double remove_dc(std::span<const float> from, FftBuffer<float>& to) {
  const double mean = std::accumulate(from.begin(), from.end(), 0.0) / static_cast<double>(from.size());
  double energy = 0;
  std::fill(to.begin(), to.end(), 0.0F);
  for (std::size_t n = 0; n < from.size(); ++n) {
    to[n] = static_cast<float>(from[n] - mean);
    energy += static_cast<double>(to[n]) * to[n];
  }
  return std::sqrt(energy);
}

}  // namespace

const RealFft& FullCorrelator::plan(std::size_t size) {
  return plans_.try_emplace(size, size).first->second;
}

const std::vector<CorrelationPeak>& FullCorrelator::peaks(std::span<const float> reference,
                                                          std::span<const float> degraded, const PeakSearch& search) {
  const std::size_t size = std::bit_ceil(std::max<std::size_t>(16, reference.size() + degraded.size() + 1));
  const RealFft& fft = plan(size);
  a_.resize(size);
  b_.resize(size);
  spectrum_a_.resize(fft.bins());
  spectrum_b_.resize(fft.bins());
  if (reference_size_ != size ||
      !std::equal(reference.begin(), reference.end(), reference_.begin(), reference_.end())) {
    reference_.assign(reference.begin(), reference.end());
    reference_norm_ = remove_dc(reference, a_);
    fft.forward(a_.data(), spectrum_a_.data());
    reference_size_ = size;
  }
  const double norm = reference_norm_ * remove_dc(degraded, b_) * static_cast<double>(size) + 1e-20;
  fft.forward(b_.data(), spectrum_b_.data());
  product_.resize(fft.bins());
  conjugate_product(spectrum_a_.data(), spectrum_b_.data(), fft.bins(), product_.data());
  fft.inverse(product_.data(), a_.data());

  const int n = static_cast<int>(size);
  // Delays reach from minus the reference's length to the degraded recording's, so the circle is cut behind the latter:
  // in the middle it would take a long delay for a negative one.
  const int cut = static_cast<int>(degraded.size()) + 1;
  const auto to_delay = [n, cut](int index) { return index >= cut ? index - n : index; };
  scores_.assign(size, kTaken);
  const auto scale = static_cast<float>(1 / norm);
  const auto take = [&](int from, int to) {  // indices from..to-1 hold delays in their order
    for (int index = from; index < to; ++index) {
      const float value = a_[index] * scale;
      scores_[index] = search.either_sign ? std::abs(value) : value;
    }
  };
  take(std::clamp(search.lowest, 0, cut), std::clamp(search.highest + 1, 0, cut));
  take(std::clamp(search.lowest + n, cut, n), std::clamp(search.highest + n + 1, cut, n));
  peaks_.clear();
  for (int peak = 0; peak < search.count; ++peak) {
    const auto best = static_cast<int>(largest_of(scores_));
    if (scores_[best] <= kTaken && !peaks_.empty()) break;
    peaks_.push_back({to_delay(best), scores_[best]});
    for (int near = -search.distance; near <= search.distance; ++near) scores_[(best + near + n) % n] = kTaken;
  }
  return peaks_;
}

}  // namespace vqas::scoring
