#include "score/long/envelope_match.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "score/align/evidence.h"
#include "score/dsp/kernels.h"
#include "score/model/model.h"

namespace vqas::scoring {
namespace {

// Of a step: correlations of 2 s of other speech scatter as those of 15 independent values do (5,500 places in the
// corpus and in recorded speech). 0.15 and 0.35 do as well.
constexpr double kIndependent = 0.23;
constexpr double kSilentVariance = 1e-4;  // not tuned: of a step of the envelope, which is about 1: less is rounding
constexpr int kFarthest = 112'500;        // not tuned: an hour bounds the time of recordings of which nothing is found
constexpr float kTaken = -1e30F;          // not tuned: below any sum

}  // namespace

EnvelopeMatch::EnvelopeMatch(std::span<const float> reference, std::span<const float> degraded)
    : reference_(reference), size_(static_cast<int>(degraded.size())) {
  const float silence = degraded.empty() ? 0.0F : *std::min_element(degraded.begin(), degraded.end());
  degraded_.assign(degraded.size() + std::size_t{2 * kLongest}, silence);
  std::copy(degraded.begin(), degraded.end(), degraded_.begin() + kLongest);
  sum_.assign(degraded_.size() + 1, 0);
  square_.assign(degraded_.size() + 1, 0);
  for (std::size_t n = 0; n < degraded_.size(); ++n) {
    sum_[n + 1] = sum_[n] + degraded_[n];
    square_[n + 1] = square_[n] + static_cast<double>(degraded_[n]) * degraded_[n];
  }
  learn_most_shared();
}

// What a step of the delay leaves is the most that is said: the right place, which may lie half a step away, then is as
// good as a repetition that lies a whole number of steps away.
void EnvelopeMatch::learn_most_shared() {
  double square = 0;
  double product = 0;
  for (int from = 0; from < static_cast<int>(reference_.size()); from += kWindow) {
    if (!take(from, kWindow)) continue;
    square += part_square_;
    product += std::inner_product(part_.begin() + 1, part_.end(), part_.begin(), 0.0);
  }
  // Of a window one pair fewer than values.
  const double r = product / (square * (kWindow - 1) / kWindow + kSilentVariance);
  most_shared_ = std::min(r * r, 1 - kSilentVariance);
}

double EnvelopeMatch::cost_of_step(int by) {
  return kAlike * std::log(2.0 * std::abs(by) + 1);
}

bool EnvelopeMatch::take(int from, int length) {
  from_ = from;
  const auto there = reference_.subspan(static_cast<std::size_t>(from));
  const auto part = there.first(std::min(there.size(), static_cast<std::size_t>(length)));
  double sum = 0;
  for (const float value : part) sum += value;
  const auto mean = static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(1, part.size())));
  part_.assign(static_cast<std::size_t>(length), 0.0F);
  part_square_ = 0;
  for (std::size_t n = 0; n < part.size(); ++n) {
    part_[n] = part[n] - mean;
    part_square_ += static_cast<double>(part_[n]) * part_[n];
  }
  return part_square_ > kSilentVariance * length;
}

void EnvelopeMatch::weigh(int lowest, int highest) {
  const int length = static_cast<int>(part_.size());
  lowest_ = std::max(lowest, kWindow / 2 - from_ - length);
  highest = std::min(highest, size_ - from_ - kWindow / 2);
  nats_.resize(static_cast<std::size_t>(std::max(0, highest - lowest_ + 1)));
  if (nats_.empty()) return;
  const int origin = kLongest + from_ + lowest_;
  sliding_products(part_.data(), degraded_.data() + origin, length, nats_);
  const double values = kIndependent * length;
  for (std::size_t n = 0; n < nats_.size(); ++n) {
    if (nats_[n] <= 0) {
      nats_[n] = 0;
      continue;
    }
    const std::size_t at = static_cast<std::size_t>(origin) + n;
    const double sum = sum_[at + part_.size()] - sum_[at];
    const double square = square_[at + part_.size()] - square_[at] - sum * sum / length;
    const double product = nats_[n];
    const double shared = product * product / (part_square_ * (square + kSilentVariance * length));
    // As a filter does, r costs half the logarithm of what it was told from.
    const double nats = -0.5 * (values * std::log1p(-std::min(shared, most_shared_)) + std::log(values));
    nats_[n] = static_cast<float>(std::max(0.0, nats));
  }
}

EnvelopePlace EnvelopeMatch::best_near(int delay, int by) {
  weigh(delay - by, delay + by);
  EnvelopePlace best{delay, 0};
  double most = kTaken;
  for (std::size_t n = 0; n < nats_.size(); ++n) {
    const int here = lowest_ + static_cast<int>(n);
    const double worth = nats_[n] - cost_of_step(here - delay);
    if (worth <= most) continue;
    most = worth;
    best = {here, nats_[n]};
  }
  return best;
}

std::vector<int> EnvelopeMatch::best_anywhere(int delay) {
  weigh(delay - kFarthest, delay + kFarthest);
  for (std::size_t n = 0; n < nats_.size(); ++n) {
    nats_[n] -= static_cast<float>(cost_of_step(lowest_ + static_cast<int>(n) - delay));
  }
  std::vector<int> found;
  while (std::ssize(found) < AlignmentModel().places && !nats_.empty()) {
    const auto best = static_cast<std::ptrdiff_t>(largest_of(nats_));
    found.push_back(lowest_ + static_cast<int>(best));
    std::fill(nats_.begin() + std::max<std::ptrdiff_t>(0, best - kWindow),
              nats_.begin() + std::min(std::ssize(nats_), best + kWindow + 1), kTaken);
  }
  return found;
}

}  // namespace vqas::scoring
