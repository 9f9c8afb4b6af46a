#include "score/piece_search.h"

#include <algorithm>
#include <cmath>

#include "score/kernels.h"

namespace vqas::scoring {

PieceSearch::PieceSearch(const AlignmentModel& model) : model_(model) {
  const int states = 2 * model.piece_range + 1;
  near_.resize(static_cast<std::size_t>(states));
  for (int state = 0; state < states; ++state) {
    if (state > 0) near_[state].push_back(state - 1);
    if (state + 1 < states) near_[state].push_back(state + 1);
  }
}

void PieceSearch::compare(const std::vector<float>& reference, const std::vector<float>& degraded, int start,
                          int global_delay, float* gains, float& weight) {
  const int length = std::min(model_.piece_window, static_cast<int>(reference.size()) - start);
  window_.assign(reference.begin() + start, reference.begin() + start + length);
  double mean = 0;
  for (const float value : window_) mean += value;
  mean /= length;
  double variance = 1e-12;
  for (float& value : window_) {
    value = static_cast<float>(value - mean);
    variance += static_cast<double>(value) * value;
  }
  weight = static_cast<float>(variance / length);

  const int size = static_cast<int>(degraded.size());
  for (int offset = -model_.piece_range; offset <= model_.piece_range; ++offset) {
    const int origin = start + global_delay + offset;
    const int from = std::max(0, -origin);
    const int to = std::min(length, size - origin);
    if (to - from < length / 2) continue;
    const float* other = degraded.data() + origin;
    float product = 0;
    float removed = 0;  // sum of the part of the window that is compared; 0 when it is the whole
    if (to - from == length && length % kLanes == 0) {
      product = dot_product(window_.data(), other, length);
    } else {
      for (int n = from; n < to; ++n) {
        product += window_[n] * other[n];
        removed += window_[n];
      }
    }
    const double sum = sum_[origin + to] - sum_[origin + from];
    const double square = square_[origin + to] - square_[origin + from];
    const double other_mean = sum / (to - from);
    const double other_variance = std::max(0.0, square - sum * other_mean);
    gains[offset + model_.piece_range] =
        static_cast<float>((product - removed * other_mean) / std::sqrt(variance * (other_variance + 1e-12)));
  }
}

const std::vector<int>& PieceSearch::run(const std::vector<float>& reference, const std::vector<float>& degraded,
                                         int global_delay, const DelayRange& range) {
  sum_.assign(degraded.size() + 1, 0.0);
  square_.assign(degraded.size() + 1, 0.0);
  for (std::size_t n = 0; n < degraded.size(); ++n) {
    sum_[n + 1] = sum_[n] + degraded[n];
    square_[n + 1] = square_[n] + static_cast<double>(degraded[n]) * degraded[n];
  }
  const int states = 2 * model_.piece_range + 1;
  const int pieces = std::max(1, (static_cast<int>(reference.size()) - model_.piece_window) / model_.piece_hop + 1);
  constexpr float kNever = -1.0F;
  gains_.assign(static_cast<std::size_t>(pieces) * states, kNever);
  weights_.resize(static_cast<std::size_t>(pieces));
  for (int piece = 0; piece < pieces; ++piece) {
    float* gains = gains_.data() + static_cast<std::ptrdiff_t>(piece) * states;
    compare(reference, degraded, piece * model_.piece_hop, global_delay, gains, weights_[piece]);
    for (int state = 0; state < states; ++state) {
      const int delay = (global_delay + state - model_.piece_range) * model_.envelope_hop;
      // Half a step of grace on both sides: the fine search finds the rest.
      if (delay < range.lowest - model_.envelope_hop || delay > range.highest + model_.envelope_hop) {
        gains[state] = kNever;
      }
    }
  }
  const float largest = *std::max_element(weights_.begin(), weights_.end()) + 1e-20F;
  for (float& weight : weights_) weight = std::min(weight / largest * 2, 1.0F);
  viterbi_.run(gains_, weights_, states, {model_.piece_change, model_.piece_step, near_}, path_);
  for (int& state : path_) state += global_delay - model_.piece_range;
  return path_;
}

}  // namespace vqas::scoring
