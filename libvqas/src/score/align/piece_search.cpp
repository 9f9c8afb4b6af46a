#include "score/align/piece_search.h"

#include <algorithm>
#include <cmath>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

// not tuned: of an envelope, summed over a window. Digital silence has no variance, and what rounding leaves of a
// window's mean is no sound.
constexpr double kSilentVariance = 1e-6;

}  // namespace

void PieceSearch::measure_degraded(const std::vector<float>& degraded) {
  sum_.resize(degraded.size() + 1);
  square_.resize(degraded.size() + 1);
  double sum = 0;
  double square = 0;
  for (std::size_t n = 0; n < degraded.size(); ++n) {
    sum_[n] = sum;
    square_[n] = square;
    sum += degraded[n];
    square += static_cast<double>(degraded[n]) * degraded[n];
  }
  sum_.back() = sum;
  square_.back() = square;
  const auto length = static_cast<std::size_t>(model_.piece);
  inverse_deviation_.resize(degraded.size() < length ? 0 : degraded.size() - length + 1);
  for (std::size_t n = 0; n < inverse_deviation_.size(); ++n) {
    const double part = sum_[n + length] - sum_[n];
    const double variance = square_[n + length] - square_[n] - part * part / static_cast<double>(length);
    inverse_deviation_[n] = 1 / std::sqrt(static_cast<float>(std::max(0.0, variance) + kSilentVariance));
  }
}

// Correlation with a window that hangs over an end of the degraded envelope, by the part that is there.
float PieceSearch::compare_partly(const std::vector<float>& degraded, int origin, double variance) const {
  const int length = static_cast<int>(window_.size());
  const int from = std::max(0, -origin);
  const int to = std::min(length, static_cast<int>(degraded.size()) - origin);
  if (to - from < length / 2) return -1;
  const float* other = degraded.data() + origin;
  float product = 0;
  float removed = 0;  // sum of the part of the window that is compared; 0 when it is the whole
  for (int n = from; n < to; ++n) {
    product += window_[static_cast<std::size_t>(n)] * other[n];
    removed += window_[static_cast<std::size_t>(n)];
  }
  const auto begin = static_cast<std::size_t>(std::ptrdiff_t{origin} + from);
  const auto end = static_cast<std::size_t>(std::ptrdiff_t{origin} + to);
  const double sum = sum_[end] - sum_[begin];
  const double square = square_[end] - square_[begin];
  const double other_mean = sum / (to - from);
  const double other_variance = std::max(0.0, square - sum * other_mean);
  return static_cast<float>((product - removed * other_mean) /
                            std::sqrt(variance * (other_variance + kSilentVariance)));
}

void PieceSearch::compare(const std::vector<float>& reference, const std::vector<float>& degraded, int start,
                          int global_delay, float* gains, float& weight) {
  const int length = std::min(model_.piece, static_cast<int>(reference.size()) - start);
  window_.assign(reference.begin() + start, reference.begin() + start + length);
  // Four sums, none of which waits for the others.
  constexpr int kSums = 4;  // not tuned: sums side by side, none of which waits for the others
  double sum[kSums] = {};
  for (int n = 0; n < length; ++n) sum[n % kSums] += window_[static_cast<std::size_t>(n)];
  const double mean = ((sum[0] + sum[2]) + (sum[1] + sum[3])) / length;
  double square[kSums] = {};
  for (int n = 0; n < length; ++n) {
    float& value = window_[static_cast<std::size_t>(n)];
    value = static_cast<float>(value - mean);
    square[n % kSums] += static_cast<double>(value) * value;
  }
  const double variance = kSilentVariance + ((square[0] + square[2]) + (square[1] + square[3]));
  weight = static_cast<float>(variance / length);

  const int states = 2 * model_.piece + 1;
  const int first_origin = start + global_delay - model_.piece;
  // Windows that lie wholly inside are done at once; the window has no mean, so that of the other side does not matter.
  int first_whole = states;
  int last_whole = states;
  if (length == model_.piece && length % kLanes == 0) {
    first_whole = std::clamp(-first_origin, 0, states);
    last_whole = std::clamp(static_cast<int>(inverse_deviation_.size()) - first_origin, first_whole, states);
    const auto count = static_cast<std::size_t>(last_whole - first_whole);
    if (count > 0) {
      const int origin = first_origin + first_whole;
      const std::span<float> whole(gains + first_whole, count);
      sliding_products(window_.data(), degraded.data() + origin, length, whole);
      multiply({inverse_deviation_.data() + origin, count}, whole);
      const auto scale = static_cast<float>(1 / std::sqrt(variance));
      for (float& gain : whole) gain *= scale;
    }
  }
  for (int state = 0; state < states; ++state) {
    if (state >= first_whole && state < last_whole) continue;
    gains[state] = compare_partly(degraded, first_origin + state, variance);
  }
}

const std::vector<int>& PieceSearch::run(const std::vector<float>& reference, const std::vector<float>& degraded,
                                         int global_delay, const DelayRange& range) {
  measure_degraded(degraded);
  const int states = 2 * model_.piece + 1;
  const int pieces = std::max(1, (static_cast<int>(reference.size()) - model_.piece) / model_.block_steps() + 1);
  gains_.resize(static_cast<std::size_t>(pieces) * static_cast<std::size_t>(states));
  weights_.resize(static_cast<std::size_t>(pieces));
  // Half a step of grace on both sides of the range: the fine search finds the rest.
  const auto is_possible = [&](int state) {
    const int delay = (global_delay + state - model_.piece) * model_.envelope_hop;
    return delay >= range.lowest - model_.envelope_hop && delay <= range.highest + model_.envelope_hop;
  };
  int lowest = 0;
  while (lowest < states && !is_possible(lowest)) ++lowest;
  int highest = states - 1;
  while (highest >= lowest && !is_possible(highest)) --highest;
  for (int piece = 0; piece < pieces; ++piece) {
    float* gains = gains_.data() + static_cast<std::ptrdiff_t>(piece) * states;
    compare(reference, degraded, piece * model_.block_steps(), global_delay, gains,
            weights_[static_cast<std::size_t>(piece)]);
    for (int state = 0; state < lowest; ++state) gains[state] = -1;
    for (int state = highest + 1; state < states; ++state) gains[state] = -1;
  }
  const float largest = *std::max_element(weights_.begin(), weights_.end()) + 1e-20F;
  for (float& weight : weights_) weight = std::min(weight / largest * 2, 1.0F);
  viterbi_.run(gains_, weights_, states, {model_.piece_change, model_.piece_step}, path_);
  for (int& state : path_) state += global_delay - model_.piece;
  return path_;
}

}  // namespace vqas::scoring
