#include <algorithm>
#include <cmath>

#include "run/about_json.h"
#include "run/run_json.h"
#include "vqas/report/findings.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/run/call_levels.h"

namespace vqas {
namespace {

using store::Json;
using store::rounded;

constexpr double kDecibelStep = 1e-3;

/// Even equal scores are known only to the scale's step.
Json half_width_json(double half_width) {
  return rounded(std::max(half_width, kMosStep), kMosStep);
}

Json to_json(const OutcomeCounts& outcomes) {
  Json json;
  for (const Outcome outcome : kAllOutcomes) json[std::string(to_string(outcome))] = outcomes.of(outcome);
  return json;
}

/// Completeness of a mean: the share without a score, and the lower bound.
void add_completeness(Json& json, double share_unscored, bool conditional, const std::optional<double>& bound) {
  json["share_unscored"] = rounded(share_unscored, kMosStep);
  json["conditional"] = conditional;
  json["bound_mos_lqo"] = conditional ? rounded(bound, kMosStep) : Json(nullptr);
}

Json to_json(const StimulusRun& stimulus) {
  const StimulusSummary summary = summarise(stimulus);
  const Interval& interval = stimulus.interval;
  Json json;
  json["stimulus"] = stimulus.stimulus;
  json["n"] = interval.n;
  json["mean_mos_lqo"] = interval.n > 0 ? rounded(interval.mean, kMosStep) : Json(nullptr);
  json["standard_deviation"] = interval.n > 1 ? rounded(interval.standard_deviation, kMosStep) : Json(nullptr);
  json["half_width"] = half_width_json(interval.half_width);
  json["confidence"] = interval.confidence;
  json["stopping_factor"] = rounded(interval.stopping_factor, kMosStep);
  json["stopped_because"] = to_string(stimulus.stopped_because);
  const std::string noticed = in_words(pattern_of(stimulus));
  json["noticed"] = noticed.empty() ? Json(nullptr) : Json(noticed);
  add_completeness(json, summary.outcomes.share_unscored(), summary.conditional, summary.bound);
  json["outcomes"] = to_json(summary.outcomes);
  json["measurements"] = Json::array();
  for (const Measurement& one : stimulus.measurements) json["measurements"].push_back(store::to_json(one));
  return json;
}

Json to_json(const CallLevel& call) {
  Json json;
  json["call"] = call.call;
  json["first_sequence"] = call.first_sequence;
  json["scored"] = call.scored;
  json["mean_mos_lqo"] = rounded(call.mean_mos_lqo, kMosStep);
  json["level_difference_db"] = rounded(call.level_difference_db, kDecibelStep);
  json["level_change_db"] = rounded(call.level_change_db, kDecibelStep);
  json["same_level"] = !level_change_in_words(call).has_value();
  return json;
}

Json to_json(const DirectionRun& direction, const RunResults& results) {
  const DirectionSummary summary = summarise(direction, results.sampling);
  const bool any = summary.mean.strata > 0;
  Json json;
  json["from"] = name_of(direction.from);
  json["to"] = name_of(direction.to());
  json["mean_mos_lqo"] = any ? rounded(summary.mean.mean, kMosStep) : Json(nullptr);
  json["half_width"] = half_width_json(summary.mean.half_width);
  json["confidence"] = summary.mean.confidence;
  json["degrees_of_freedom"] = summary.mean.degrees > 0 ? rounded(summary.mean.degrees, 1e-2) : Json(nullptr);
  json["stopped_because"] = summary.stopped_because ? Json(to_string(*summary.stopped_because)) : Json(nullptr);
  json["stimuli_included"] = summary.mean.strata;
  json["stimuli_omitted"] = summary.omitted;
  json["range_over_stimuli"] = any ? rounded(summary.mean.range, kMosStep) : Json(nullptr);
  add_completeness(json, summary.share_unscored, summary.conditional, summary.bound);
  const LineDrift drift = drift_of(direction, results.sampling);
  json["drift_mos"] = std::isfinite(drift.half_width) ? rounded(drift.change, kMosStep) : Json(nullptr);
  json["drift_half_width"] = half_width_json(drift.half_width);
  if (const auto conversation = conversation_of(results, direction)) {
    const ConversationEstimate& e = conversation->estimate;
    json["conversation_estimate"] = {{"model", "ITU-T G.107, an estimate"},
                                     {"mos_cqe", rounded(e.mos_cqe, kMosStep)},
                                     {"rating", rounded(e.rating, 1e-2)},
                                     {"ie_eff", rounded(e.ie_eff, 1e-2)},
                                     {"delay_ms", rounded(conversation->path.one_way_delay_ms, 1e-3)},
                                     {"delay_basis", to_string(conversation->basis)},
                                     {"echo_loss_db", nullptr}};
    if (const double loss_db = conversation->path.echo_loss_db; std::isfinite(loss_db))
      json["conversation_estimate"]["echo_loss_db"] = rounded(loss_db, 1e-3);
  } else {
    json["conversation_estimate"] = nullptr;
  }
  json["outcomes"] = to_json(summary.outcomes);
  if (const auto gaps = sequence_gaps(direction); !gaps.empty()) {
    json["numbers_abandoned"] = Json::array();
    for (const SequenceGap& gap : gaps) json["numbers_abandoned"].push_back({{"first", gap.first}, {"last", gap.last}});
  }
  if (const auto calls = call_levels(direction); calls.size() > 1) {
    json["calls"] = Json::array();
    for (const CallLevel& call : calls) json["calls"].push_back(to_json(call));
  }
  json["stimuli"] = Json::array();
  for (const StimulusRun& stimulus : direction.stimuli) json["stimuli"].push_back(to_json(stimulus));
  return json;
}

Json timing_of(const RunResults& results) {
  const auto text = [](const std::string& value) { return value.empty() ? Json(nullptr) : Json(value); };
  Json json;
  json["uuid"] = text(results.about.uuid);
  json["started_utc"] = text(results.started_utc);
  json["finished_utc"] = text(results.finished_utc);
  // The duration of a run that was broken off is unknown.
  const bool known = !results.finished_utc.empty();
  json["wall_seconds"] = known ? rounded(results.wall_seconds, 1e-3) : Json(nullptr);
  json["line_seconds"] = known ? rounded(results.line_seconds, 1e-3) : Json(nullptr);
  if (results.lost_seconds > 0) json["lost_seconds"] = rounded(results.lost_seconds, 1e-3);
  return json;
}

}  // namespace

std::string results_json(const RunResults& results, const Provenance& provenance) {
  Json json;
  json["schema"] = kResultsSchema;
  json["software_version"] = provenance.software_version;
  if (results.mode != ScoreMode::narrowband) json["score_mode"] = to_string(results.mode);
  json["score_version"] = provenance.score_version;
  json["seed"] = results.seed;
  json["corpus_digest"] = results.corpus_digest;
  json["line"] = store::line_to_json(results);
  json["sampling"] = store::to_json(results.sampling);
  json["guard_s"] = results.guard_s;
  json["model_error"] = store::model_error_to_json(provenance);
  json["about"] = store::to_json(results.about);
  if (results.about.limit_mos) json["verdict"] = verdict_word(results, provenance);
  if (!results.notes.empty()) {
    json["notes"] = Json::array();
    for (const OperatorNote& note : results.notes) json["notes"].push_back(store::to_json(note));
  }
  json["ended_because"] = results.is_complete() ? Json(nullptr) : Json(results.ended_because);
  json["directions"] = Json::array();
  for (const DirectionRun& direction : results.directions) json["directions"].push_back(to_json(direction, results));
  json["timing"] = timing_of(results);
  return store::to_page(json);
}

}  // namespace vqas
