#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "score/dsp/kernels.h"
#include "signal/aligned.h"

namespace vqas::scoring {

/// A recording that can be read at any position: beyond its ends it is silent. Refilling allocates only when the
/// recording is longer than any before.
class PaddedSignal {
 public:
  /// The longest segment that may be read at once, in samples.
  static constexpr int kLongestRead = 1024;

  /// Room for `size` samples, to be written by the caller, with silence around it.
  std::span<float> reset(std::size_t size) {
    size_ = static_cast<int>(size);
    samples_.resize(size + 2 * kLongestRead);
    std::fill_n(samples_.begin(), kLongestRead, 0.0F);
    std::fill_n(samples_.end() - kLongestRead, kLongestRead, 0.0F);
    return {samples_.data() + kLongestRead, size};
  }
  void assign(std::span<const float> samples) {
    const auto room = reset(samples.size());
    std::copy(samples.begin(), samples.end(), room.begin());
  }
  /// Ends it at `size` samples, or appends silence.
  void resize(int size) {
    const int kept = std::min(size, size_);
    size_ = size;
    samples_.resize(static_cast<std::size_t>(size) + 2 * kLongestRead);
    std::fill(samples_.begin() + kLongestRead + kept, samples_.end(), 0.0F);
  }
  /// Every sample with the other sign.
  void invert_polarity() {
    for (float& sample : samples_) sample = -sample;
  }
  int size() const { return size_; }
  /// The recording alone; kLongestRead samples before and behind it may be read, which are 0.
  std::span<const float> samples() const { return {samples_.data() + kLongestRead, static_cast<std::size_t>(size_)}; }
  /// `length` <= kLongestRead samples from `position`, which may lie anywhere.
  const float* at(int position, int length) const { return samples_.data() + place(position, length); }
  /// Energy of the same segment; `length` is a multiple of kLanes.
  double energy(int position, int length) const {
    const float* segment = at(position, length);
    return dot_product(segment, segment, length);
  }

 private:
  // A segment wholly outside is as good as the nearest one wholly in the padding.
  std::size_t place(int position, int length) const {
    return static_cast<std::size_t>(std::clamp(position, -kLongestRead, size_ + kLongestRead - length) + kLongestRead);
  }

  int size_ = 0;
  AlignedVector<float> samples_;
};

}  // namespace vqas::scoring
