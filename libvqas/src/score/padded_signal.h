#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace vqas::scoring {

/// A recording that can be read at any position: beyond its ends it is silent. Also knows the energy of any stretch in
/// constant time. Refilling allocates only when the recording is longer than any before.
class PaddedSignal {
 public:
  /// The longest stretch that may be read at once, in samples.
  static constexpr int kLongestRead = 1024;

  void assign(std::span<const float> samples) {
    size_ = static_cast<int>(samples.size());
    samples_.assign(samples.size() + 2 * kLongestRead, 0.0F);
    std::copy(samples.begin(), samples.end(), samples_.begin() + kLongestRead);
    energy_.resize(samples_.size() + 1);
    double sum = 0;
    for (std::size_t n = 0; n < samples_.size(); ++n) {
      energy_[n] = sum;
      sum += static_cast<double>(samples_[n]) * samples_[n];
    }
    energy_.back() = sum;
  }
  int size() const { return size_; }
  /// `length` <= kLongestRead samples from `position`, which may lie anywhere.
  const float* at(int position, int length) const { return samples_.data() + place(position, length); }
  /// Energy of the same stretch.
  double energy(int position, int length) const {
    const auto begin = place(position, length);
    return energy_[begin + static_cast<std::size_t>(length)] - energy_[begin];
  }

 private:
  // A stretch wholly outside is as good as the nearest one wholly in the padding.
  std::size_t place(int position, int length) const {
    return static_cast<std::size_t>(std::clamp(position, -kLongestRead, size_ + kLongestRead - length) + kLongestRead);
  }

  int size_ = 0;
  std::vector<float> samples_;
  std::vector<double> energy_;
};

}  // namespace vqas::scoring
