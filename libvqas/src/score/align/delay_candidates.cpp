#include "score/align/delay_candidates.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "score/dsp/kernels.h"

namespace vqas::scoring {

std::pair<int, double> DelayCandidates::pool(const BlockCorrelator& blocks, std::span<const int> rough, int first,
                                             int last, int reference_delay, const DelayRange& range) {
  const int half = model_.block_range;
  const int width = blocks.lags();
  pooled_.assign(static_cast<std::size_t>(width), 0.0F);
  double reference_energy = 1e-12;
  double degraded_energy = 1e-12;
  for (int block = first; block < last; ++block) {
    const int shift = rough[block] - reference_delay;
    if (std::abs(shift) > half) continue;
    const float* lags = lags_.data() + static_cast<std::ptrdiff_t>(block) * width;
    const int to = std::max(0, shift);
    const int from = std::max(0, -shift);
    const auto count = static_cast<std::size_t>(width - std::abs(shift));
    add_to({lags + from, count}, {pooled_.data() + to, count});
    reference_energy += blocks.energy(block);
    degraded_energy += degraded_energy_[block];
  }
  const int origin = reference_delay - half;
  const int lowest = std::clamp(range.lowest - origin, 0, width - 1);
  const int highest = std::clamp(range.highest - origin, lowest, width - 1);
  const auto searched = std::span(pooled_).subspan(lowest, highest - lowest + 1);
  const int best = lowest + static_cast<int>(largest_of(searched));
  return {std::clamp(origin + best, range.lowest, range.highest),
          pooled_[best] / std::sqrt(reference_energy * degraded_energy)};
}

void DelayCandidates::vote(int delay, double value) {
  for (auto& [known, sum] : votes_) {
    if (known == delay) {
      sum += value;
      return;
    }
  }
  votes_.emplace_back(delay, value);
}

const std::vector<int>& DelayCandidates::run(BlockCorrelator& blocks, const PaddedSignal& degraded,
                                             std::span<const int> rough, const DelayRange& range,
                                             std::span<const int> certain) {
  const int count = blocks.blocks();
  const auto width = static_cast<std::size_t>(blocks.lags());
  lags_.resize(static_cast<std::size_t>(count) * width);
  degraded_energy_.resize(static_cast<std::size_t>(count));
  all_.resize(static_cast<std::size_t>(count));
  std::iota(all_.begin(), all_.end(), 0);
  blocks.choose(all_);
  blocks.correlate_each(rough, degraded, lags_);
  double strongest = 0;
  double total = 0;
  for (int block = 0; block < count; ++block) {
    strongest = std::max(strongest, blocks.energy(block));
    total += blocks.energy(block);
    degraded_energy_[block] = blocks.block_energy(block, rough[block], degraded);
  }
  const double mean_amplitude = std::sqrt(total / count) + 1e-20;
  const auto active = [&](int block) { return blocks.energy(block) > strongest * model_.block_active; };

  votes_.clear();
  for (int first = 0; first < count;) {
    int last = first + 1;
    while (last < count && std::abs(rough[last] - rough[last - 1]) <= model_.envelope_hop) ++last;
    bool any = false;
    for (int block = first; block < last; ++block) any = any || active(block);
    if (any) {
      run_delays_.assign(rough.begin() + first, rough.begin() + last);
      std::sort(run_delays_.begin(), run_delays_.end());
      run_delays_.erase(std::unique(run_delays_.begin(), run_delays_.end()), run_delays_.end());
      for (const int delay : run_delays_) {
        const auto [best, correlation] = pool(blocks, rough, first, last, delay, range);
        vote(best, (last - first) * std::max(correlation, 0.0));
      }
    }
    first = last;
  }
  for (int block = 0; block < count; ++block) {
    if (!active(block)) continue;
    const double say = std::min(1.0, std::sqrt(blocks.energy(block)) / mean_amplitude);
    const std::pair<int, int> alone{block, block + 1};
    const std::pair<int, int> with_neighbours{std::max(0, block - 1), std::min(count, block + 2)};
    for (const auto& [first, last] : {alone, with_neighbours}) {
      const auto [best, correlation] = pool(blocks, rough, first, last, rough[block], range);
      if (correlation > model_.vote_correlation) vote(best, correlation * say);
    }
  }
  if (votes_.empty()) votes_.emplace_back(std::clamp(rough[rough.size() / 2], range.lowest, range.highest), 1.0);

  std::stable_sort(votes_.begin(), votes_.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  candidates_.clear();
  candidates_.assign(certain.begin(), certain.end());
  for (const auto& [delay, sum] : votes_) {
    if (std::find(candidates_.begin(), candidates_.end(), delay) == candidates_.end()) candidates_.push_back(delay);
    if (static_cast<int>(candidates_.size()) >= model_.candidates) break;
  }
  return candidates_;
}

}  // namespace vqas::scoring
