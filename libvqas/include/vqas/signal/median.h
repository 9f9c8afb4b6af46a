#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace vqas {

/// Median of at least one value; of an even number, the upper of the two in the middle, so that the result is one of
/// the values. Reorders `values`, a vector or an array.
template <typename Values>
auto upper_median(Values& values) {
  const auto middle = std::begin(values) + static_cast<std::ptrdiff_t>(std::size(values) / 2);
  std::nth_element(std::begin(values), middle, std::end(values));
  return *middle;
}

/// Median of at least one value; of an even number, the mean of the two in the middle.
inline double median(std::vector<double> values) {
  const double upper = upper_median(values);
  if (values.size() % 2 == 1) return upper;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  return (*std::max_element(values.begin(), middle) + upper) / 2;
}

}  // namespace vqas
