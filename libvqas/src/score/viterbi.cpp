#include "score/viterbi.h"

#include <algorithm>

namespace vqas::scoring {

void Viterbi::run(std::span<const float> gains, std::span<const float> weights, int states, const Costs& costs,
                  std::vector<int>& path) {
  const auto width = static_cast<std::size_t>(states);
  const std::size_t rows = gains.size() / width;
  const double change = costs.change;
  const double near_change = costs.near_change;
  total_.resize(width);
  next_.resize(width);
  came_from_.resize(rows * width);
  path.resize(rows);
  if (rows == 0) return;
  for (std::size_t state = 0; state < width; ++state) {
    total_[state] = static_cast<double>(gains[state]) * weights[0];
    came_from_[state] = static_cast<int>(state);
  }
  for (std::size_t row = 1; row < rows; ++row) {
    const auto best = static_cast<int>(std::max_element(total_.begin(), total_.end()) - total_.begin());
    const double from_anywhere = total_[best] - change;
    const float* gain = gains.data() + row * width;
    for (int state = 0; state < states; ++state) {
      double value = total_[state];
      int from = state;
      if (from_anywhere > value) {
        value = from_anywhere;
        from = best;
      }
      for (const int neighbour : costs.near[state]) {
        if (total_[neighbour] - near_change > value) {
          value = total_[neighbour] - near_change;
          from = neighbour;
        }
      }
      came_from_[row * width + state] = from;
      next_[state] = value + static_cast<double>(gain[state]) * weights[row];
    }
    total_.swap(next_);
  }
  auto state = static_cast<int>(std::max_element(total_.begin(), total_.end()) - total_.begin());
  for (std::size_t row = rows; row-- > 0;) {
    path[row] = state;
    state = came_from_[row * width + state];
  }
}

}  // namespace vqas::scoring
