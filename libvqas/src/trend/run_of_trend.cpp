#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "run/json.h"
#include "run/run_json.h"
#include "trend/utc.h"
#include "vqas/corpus/digest.h"
#include "vqas/report/findings.h"
#include "vqas/report/summary.h"
#include "vqas/trend/trend.h"

namespace vqas {
namespace {

/// Names the stimuli briefly: equal texts are equal stimuli.
std::string stimuli_of(const RunResults& results) {
  std::string all = results.corpus_digest;
  std::size_t count = 0;
  for (const DirectionRun& direction : results.directions) {
    count = std::max(count, direction.stimuli.size());
    if (&direction != &results.directions.front()) continue;
    for (const StimulusRun& stimulus : direction.stimuli) all += "\n" + stimulus.stimulus;
  }
  constexpr std::size_t kEnough = 8;
  return std::to_string(count) + (count == 1 ? " stimulus " : " stimuli ") + sha256_hex(all).substr(0, kEnough);
}

/// Names the line briefly: runs with another text were not made on the same line. What differs from run to run by
/// itself, such as clocks and a device's delay, is left out.
std::string setup_of(const RunResults& results) {
  Json line = store::line_to_json(results);
  for (const char* const own : {"clocks", "baseline", "duplex"}) line.erase(own);
  if (line.contains("equipment")) {
    for (auto& [end, text] : line["equipment"].items()) {
      const std::string words = text.get<std::string>();
      text = words.substr(0, words.find(';'));
    }
  }
  constexpr std::size_t kEnough = 8;
  return results.line + " " + sha256_hex(line.dump(-1, ' ', false, Json::error_handler_t::replace)).substr(0, kEnough);
}

void count_outcomes(const DirectionRun& run, DirectionOfRun& direction) {
  std::map<std::string, std::pair<std::size_t, std::string>> without;  // outcome: how often, a reason
  std::size_t examined = 0;
  std::array<double, kAllImpairments.size()> costs{};
  for (const StimulusRun& stimulus : run.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      if (one.outcome == Outcome::cancelled) continue;
      ++direction.measurements;
      if (one.mos_lqo) {
        ++direction.scored;
      } else {
        auto& [times, reason] = without[std::string(to_string(one.outcome))];
        ++times;
        reason = one.reason;
      }
      if (!one.findings) continue;
      ++examined;
      for (const ImpairmentFinding& finding : one.findings->impairments) {
        const auto place = std::ranges::find(kAllImpairments, finding.impairment) - kAllImpairments.begin();
        // Runs of earlier releases hold only a strength, which approximates the cost on the narrowband scale.
        const bool is_narrowband = one.mode == ScoreMode::narrowband;
        costs[static_cast<std::size_t>(place)] += finding.cost_mos.value_or(is_narrowband ? finding.strength : 0);
      }
    }
  }
  const auto most = std::ranges::max_element(without, {}, [](const auto& one) { return one.second.first; });
  if (most != without.end()) {
    direction.no_score = most->first;
    direction.not_scored_because = most->second.second;
  }
  if (examined == 0) return;
  for (double& cost : costs) cost /= static_cast<double>(examined);
  direction.costs = costs;
}

}  // namespace

std::optional<RunOfTrend> run_of_trend(const StoredRun& stored) {
  const RunResults& results = stored.results;
  const auto started = trend::seconds_of(results.started_utc);
  if (!started) return std::nullopt;
  RunOfTrend run{.uuid = results.about.uuid,
                 .campaign = results.about.campaign,
                 .line = results.line,
                 .tags = results.about.tags,
                 .started_s = *started,
                 .score_version = stored.provenance.score_version,
                 .stimuli = stimuli_of(results),
                 .setup = setup_of(results),
                 .simulated = !results.simulated.empty(),
                 .model_error_mos = stored.provenance.model_error_mos,
                 .ended_because = results.ended_because,
                 .report = {},
                 .directions = {}};
  const auto judged = judge_run(results, stored.provenance);
  for (std::size_t d = 0; d < results.directions.size(); ++d) {
    const DirectionSummary summary = summarise(results.directions[d], results.sampling);
    DirectionOfRun& direction = run.directions.emplace_back();
    direction.from = results.directions[d].from;
    count_outcomes(results.directions[d], direction);
    direction.conditional = summary.conditional;
    direction.partial = !summary.omitted.empty() || !results.is_complete();
    if (judged) direction.verdict = judged->directions[d].verdict;
    if (summary.mean.strata == 0) continue;
    direction.mean = summary.mean.mean;
    direction.half_width = summary.mean.half_width;
    direction.confidence = summary.mean.confidence;
    if (std::isfinite(direction.half_width) && summary.mean.degrees > 0)
      direction.standard_error = direction.half_width / two_sided_t(direction.confidence, summary.mean.degrees);
  }
  return run;
}

}  // namespace vqas
