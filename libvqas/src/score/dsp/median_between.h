#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vqas::scoring {

/// upper_median() of `values` if it lies within low..high: what lies outside is only counted. `work` is overwritten.
inline std::optional<double> upper_median_between(std::span<const double> values, double low, double high,
                                                  std::vector<double>& work) {
  work.resize(values.size());
  std::size_t below = 0;
  std::size_t count = 0;
  for (const double value : values) {
    work[count] = value;
    below += value < low ? 1 : 0;
    count += value >= low && value <= high ? 1 : 0;
  }
  const std::size_t place = values.size() / 2;
  if (place < below || place >= below + count) return std::nullopt;
  const auto middle = work.begin() + static_cast<std::ptrdiff_t>(place - below);
  std::nth_element(work.begin(), middle, work.begin() + static_cast<std::ptrdiff_t>(count));
  return *middle;
}

}  // namespace vqas::scoring
