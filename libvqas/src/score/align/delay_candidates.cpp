#include "score/align/delay_candidates.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

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
    const float* const lags = lags_of_[block];
    if (lags == nullptr || std::abs(shift) > half) continue;
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

void DelayCandidates::add(int delay) {
  const auto at = std::lower_bound(delays_.begin(), delays_.end(), delay);
  if (at == delays_.end() || *at != delay) delays_.insert(at, delay);
}

void DelayCandidates::vote_as_runs(const BlockCorrelator& blocks, std::span<const int> rough, const DelayRange& range) {
  const int end = blocks.blocks();
  for (int first = 0; first < end;) {
    int last = first + 1;
    while (last < end && std::abs(rough[last] - rough[last - 1]) <= model_.envelope_hop) ++last;
    const auto run = std::span(lags_of_).subspan(first, last - first);
    if (std::any_of(run.begin(), run.end(), [](const float* lags) { return lags != nullptr; })) {
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
}

void DelayCandidates::ask(BlockCorrelator& blocks, const PaddedSignal& degraded, std::span<const int> rough,
                          const DelayRange& range) {
  const int last = blocks.blocks();
  const auto count = static_cast<std::size_t>(last);
  const auto width = static_cast<std::size_t>(blocks.lags());
  double strongest = 0;
  double total = 0;
  for (int block = 0; block < last; ++block) {
    strongest = std::max(strongest, blocks.energy(block));
    total += blocks.energy(block);
  }
  const double mean_amplitude = std::sqrt(total / last) + 1e-20;
  // A block in a pause says nothing.
  asked_.clear();
  asked_delay_.clear();
  degraded_energy_.assign(count, 0.0);
  lags_of_.assign(count, nullptr);
  lags_.resize(count * width);
  for (int block = 0; block < last; ++block) {
    if (blocks.energy(block) <= strongest * kFaintShare) continue;
    lags_of_[block] = lags_.data() + asked_.size() * width;
    asked_.push_back(block);
    asked_delay_.push_back(rough[block]);
    degraded_energy_[block] = blocks.block_energy(block, rough[block], degraded);
  }
  blocks.choose(asked_);
  blocks.correlate_each(asked_delay_, degraded, lags_);

  votes_.clear();
  vote_as_runs(blocks, rough, range);
  for (const int block : asked_) {
    const double say = std::min(1.0, std::sqrt(blocks.energy(block)) / mean_amplitude);
    const std::pair<int, int> alone{block, block + 1};
    const std::pair<int, int> with_neighbours{std::max(0, block - 1), std::min(last, block + 2)};
    for (const auto& [from, to] : {alone, with_neighbours}) {
      const auto [best, correlation] = pool(blocks, rough, from, to, rough[block], range);
      vote(best, std::max(correlation, 0.0) * say);
    }
  }
  std::stable_sort(votes_.begin(), votes_.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  const std::size_t before = delays_.size();
  for (const auto& [delay, sum] : votes_) {
    if (delays_.size() >= before + static_cast<std::size_t>(model_.candidates)) break;
    add(delay);
  }
}

}  // namespace vqas::scoring
