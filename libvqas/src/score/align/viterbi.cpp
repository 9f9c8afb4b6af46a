#include "score/align/viterbi.h"

#include <algorithm>

#include "score/dsp/kernels.h"

namespace vqas::scoring {

void Viterbi::begin(std::span<const float> gains, std::span<const float> weights, int states, std::vector<int>& path) {
  const auto width = static_cast<std::size_t>(states);
  const std::size_t rows = gains.size() / width;
  // One place more on both sides, below anything, so that the first and the last state have neighbours too.
  constexpr float kNever = -1e30F;  // not tuned: below any sum
  total_.assign(width + 2, kNever);
  next_.assign(width + 2, kNever);
  came_from_.resize(rows * width);
  path.resize(rows);
  if (rows == 0) return;
  for (std::size_t state = 0; state < width; ++state) {
    total_[state + 1] = gains[state] * weights[0];
    came_from_[state] = static_cast<int>(state);
  }
}

void Viterbi::trace_back(std::vector<int>& path) const {
  const std::size_t rows = path.size();
  if (rows == 0) return;
  const std::size_t width = came_from_.size() / rows;
  auto state = static_cast<int>(std::max_element(total_.begin() + 1, total_.end() - 1) - total_.begin()) - 1;
  for (std::size_t row = rows; row-- > 0;) {
    path[row] = state;
    state = came_from_[row * width + static_cast<std::size_t>(state)];
  }
}

void Viterbi::run(std::span<const float> gains, std::span<const float> weights, int states, const Costs& costs,
                  std::vector<int>& path) {
  begin(gains, weights, states, path);
  const auto width = static_cast<std::size_t>(states);
  const auto change = static_cast<float>(costs.change);
  const auto near_change = static_cast<float>(costs.near_change);
  for (std::size_t row = 1; row < path.size(); ++row) {
    const auto best = static_cast<int>(largest_of({total_.data() + 1, width}));
    step_along(total_.data() + 1, gains.data() + row * width, states,
               {total_[static_cast<std::size_t>(best) + 1] - change, near_change, weights[row], best}, next_.data() + 1,
               came_from_.data() + row * width);
    total_.swap(next_);
  }
  trace_back(path);
}

}  // namespace vqas::scoring
