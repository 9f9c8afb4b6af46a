#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "vqas/campaign/recording_keeper.h"
#include "vqas/channel/random.h"

namespace vqas {
namespace {

// Apart from the streams of the channel, which the same seed feeds.
constexpr std::uint64_t kStream = 0x6b656570;

}  // namespace

KeptRecordings choose_recordings(const RunResults& results, const KeepRules& rules) {
  // A run that a kill broke off has no end.
  KeptRecordings kept{results.finished_utc.empty() ? results.started_utc : results.finished_utc, {}};
  std::vector<std::pair<double, std::size_t>> scored;  // MOS, place in the list
  for (const DirectionRun& direction : results.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (one.recording.empty()) continue;
        const bool has_score = one.outcome == Outcome::scored && one.mos_lqo.has_value();
        if (has_score) scored.emplace_back(*one.mos_lqo, kept.recordings.size());
        kept.recordings.push_back({one.recording, 0, has_score ? Interest::ordinary : Interest::unscored, {}});
      }
    }
  }
  std::ranges::sort(scored);
  const std::size_t worst = std::min(rules.worst, scored.size());
  for (std::size_t i = 0; i < worst; ++i) kept.recordings[scored[i].second].interest = Interest::worst;
  // Each of the others has the same chance: Fisher and Yates' shuffle, as far as the sample reaches.
  const std::size_t end = worst + std::min(rules.sample, scored.size() - worst);
  Random random(results.seed, kStream);
  for (std::size_t i = worst; i < end; ++i) {
    const auto other = i + static_cast<std::size_t>(random.next_unit() * static_cast<double>(scored.size() - i));
    std::swap(scored[i], scored[other]);
    kept.recordings[scored[i].second].interest = Interest::sample;
  }
  if (!rules.chosen) return kept;
  for (KeptRecording& one : kept.recordings) {
    if (one.interest == Interest::ordinary) one.removed = RemovedBy::choice;
  }
  return kept;
}

}  // namespace vqas
