#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace vqas {

/// First in, first out, of a fixed capacity. No allocation after construction; for one thread.
class SampleQueue {
 public:
  explicit SampleQueue(std::size_t capacity) : samples_(capacity) {}

  std::size_t size() const { return size_; }
  std::size_t room() const { return samples_.size() - size_; }

  /// `samples.size()` <= room().
  void put(std::span<const float> samples) {
    const std::size_t start = (first_ + size_) % samples_.size();
    const std::size_t until_end = std::min(samples.size(), samples_.size() - start);
    std::copy_n(samples.begin(), until_end, samples_.begin() + static_cast<std::ptrdiff_t>(start));
    std::copy(samples.begin() + static_cast<std::ptrdiff_t>(until_end), samples.end(), samples_.begin());
    size_ += samples.size();
  }

  /// `samples.size()` <= size().
  void take(std::span<float> samples) {
    const std::size_t until_end = std::min(samples.size(), samples_.size() - first_);
    std::copy_n(samples_.begin() + static_cast<std::ptrdiff_t>(first_), until_end, samples.begin());
    std::copy_n(samples_.begin(), samples.size() - until_end, samples.begin() + static_cast<std::ptrdiff_t>(until_end));
    first_ = (first_ + samples.size()) % samples_.size();
    size_ -= samples.size();
  }

 private:
  std::vector<float> samples_;
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

}  // namespace vqas
