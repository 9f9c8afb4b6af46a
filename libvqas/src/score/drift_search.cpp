#include "score/drift_search.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "score/kernels.h"

namespace vqas::scoring {
namespace {

constexpr int kCoarseSteps = 5;         // either side
constexpr double kCoarseStep = 2.5e-3;  // 0.25 %: over 8 s a line moves by less than a block's search range
constexpr int kFineSteps = 4;           // either side, within half a coarse step
constexpr std::size_t kBlocks = 32;
// Both are choices; what is found is tried, and kept only if the waveforms agree better then. At 1 % a block of 96 ms
// is smeared over 8 samples, and the correlation of high voices fell to 0.2.
constexpr double kLeastCorrelation = 0.2;
constexpr double kClearlyBetter = 1.2;

}  // namespace

DriftSearch::Line DriftSearch::best_near(double slope, BlockCorrelator& blocks, const PaddedSignal& degraded,
                                         double delay, float sign) {
  const int width = blocks.lags();
  double reference_energy = 1e-12;
  double degraded_energy = 1e-12;
  lags_.resize(strongest_.size() * static_cast<std::size_t>(width));
  place_.resize(strongest_.size());
  for (std::size_t n = 0; n < strongest_.size(); ++n) {
    place_[n] = static_cast<int>(std::lround(delay + slope * time_[n]));
    reference_energy += blocks.energy(strongest_[n]);
    degraded_energy += blocks.block_energy(strongest_[n], place_[n], degraded);
  }
  blocks.correlate_each(place_, degraded, lags_);
  if (sign < 0) {
    for (float& lag : lags_) lag = -lag;
  }
  const double norm = 1 / std::sqrt(reference_energy * degraded_energy);

  Line best{slope, 0, 0};
  for (int fine = -kFineSteps; fine <= kFineSteps; ++fine) {
    const double extra = fine * kCoarseStep / (2.0 * kFineSteps);
    pooled_.assign(static_cast<std::size_t>(width), 0.0F);
    for (std::size_t n = 0; n < strongest_.size(); ++n) {
      // What the coarse place lacks moves this block's peak by so much.
      const double exact = delay + (slope + extra) * time_[n];
      const int shift = static_cast<int>(std::lround(exact - std::round(delay + slope * time_[n])));
      const float* lags = lags_.data() + n * static_cast<std::size_t>(width);
      if (std::abs(shift) >= width) continue;
      const auto count = static_cast<std::size_t>(width - std::abs(shift));
      add_to({lags + std::max(0, shift), count}, {pooled_.data() + std::max(0, -shift), count});
    }
    const double correlation = pooled_[largest_of(pooled_)] * norm;
    if (fine == 0) best.flat = std::max(best.flat, correlation);
    if (correlation > best.correlation) {
      best.slope = slope + extra;
      best.correlation = correlation;
    }
  }
  return best;
}

std::optional<double> DriftSearch::run(BlockCorrelator& blocks, const PaddedSignal& degraded, double delay,
                                       float sign) {
  strongest_.resize(static_cast<std::size_t>(blocks.blocks()));
  std::iota(strongest_.begin(), strongest_.end(), 0);
  std::stable_sort(strongest_.begin(), strongest_.end(),
                   [&](int a, int b) { return blocks.energy(a) > blocks.energy(b); });
  strongest_.resize(std::min(strongest_.size(), kBlocks));
  blocks.choose(strongest_);
  time_.clear();
  for (const int block : strongest_) time_.push_back((block + 0.5 - blocks.blocks() / 2.0) * model_.block);

  const Line none = best_near(0, blocks, degraded, delay, sign);
  Line best = none;
  for (int step = -kCoarseSteps; step <= kCoarseSteps; ++step) {
    if (step == 0) continue;
    const Line line = best_near(step * kCoarseStep, blocks, degraded, delay, sign);
    if (line.correlation > best.correlation) best = line;
  }
  const bool clear = best.correlation >= kLeastCorrelation && best.correlation >= kClearlyBetter * none.flat;
  if (best.slope == 0 || !clear) return std::nullopt;
  return best.slope * 1e6;
}

}  // namespace vqas::scoring
