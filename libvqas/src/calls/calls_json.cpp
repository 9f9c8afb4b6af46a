#include <cmath>

#include "vqas/calls/calls_folder.h"

namespace vqas {
namespace {

double rounded(double value, double steps) {
  return std::round(value * steps) / steps;
}

Json spread_json(const std::optional<Spread>& spread) {
  if (!spread) return {};
  return {{"calls", spread->n},
          {"median_s", rounded(spread->median, 1e4)},
          {"p95_s", rounded(spread->p95, 1e4)},
          {"worst_s", rounded(spread->worst, 1e4)}};
}

Json interval_json(const std::optional<Interval>& mos) {
  if (!mos) return {};
  return {{"calls", mos->n},
          {"mean", rounded(mos->mean, 1e4)},
          {"half_width", std::isfinite(mos->half_width) ? Json(rounded(mos->half_width, 1e4)) : Json()},
          {"confidence_percent", 100 * mos->confidence},
          {"standard_deviation", rounded(mos->standard_deviation, 1e4)}};
}

Json mos_json(const CallsSummary& summary) {
  Json json = interval_json(summary.mos);
  if (summary.mos) json["worst"] = rounded(summary.worst_mos.value_or(summary.mos->mean), 1e4);
  return json;
}

Json ramp_json(const RampFound* ramp) {
  if (ramp == nullptr) return {};
  Json steps = Json::array();
  for (const RampStep& step : ramp->steps) {
    steps.push_back({{"at_once", step.at_once},
                     {"calls", step.summary.calls},
                     {"failed_percent", rounded(step.summary.failed_percent, 1e2)},
                     {"mos", mos_json(step.summary)},
                     {"held", step.held},
                     {"why", step.why}});
  }
  return {{"held", ramp->held ? Json(*ramp->held) : Json()},
          {"not_held", ramp->not_held ? Json(*ramp->not_held) : Json()},
          {"by_this_machine", ramp->by_this_machine},
          {"steps", steps}};
}

}  // namespace

Json to_json(const CallsSummary& summary, const CallsPlan& plan, const RampFound* ramp) {
  Json ends = Json::object();
  for (const auto& [end, count] : summary.ends) ends[end] = count;
  Json json = {{"schema", kCallsSchema},
               {"name", plan.name},
               {"line", plan.line},
               {"far_end", word_of(plan.far_end)},
               {"score_of", score_of_what(plan.far_end)},
               {"calls", summary.calls},
               {"scored", summary.scored},
               {"unscored", summary.unscored},
               {"answered", summary.answered},
               {"spoilt", summary.spoilt},
               {"failed", summary.failed},
               {"ends", ends},
               {"mos", mos_json(summary)},
               {"below_percent", summary.below_percent ? Json(rounded(*summary.below_percent, 1e2)) : Json()},
               {"failed_percent", rounded(summary.failed_percent, 1e2)},
               {"sentences", summary.sentences},
               {"sentences_unscored", summary.sentences_unscored},
               {"ring", spread_json(summary.ring_s)},
               {"answer", spread_json(summary.answer_s)},
               {"packets_sent", summary.packets_sent},
               {"packets_received", summary.packets_received},
               {"packets_lost", summary.packets_lost},
               {"sent_late", summary.sent_late},
               {"worst_late_ms", rounded(summary.worst_late_ms, 1e3)},
               {"ramp", ramp_json(ramp)},
               {"verdict", to_string(summary.verdict)},
               {"verdict_reason", summary.verdict_reason}};
  if (summary.mode != ScoreMode::narrowband) {
    json["score_mode"] = to_string(summary.mode);
    json["narrow"] = summary.narrow;
    if (summary.narrowband_mos) json["narrowband_mos"] = interval_json(summary.narrowband_mos);
  }
  return json;
}

}  // namespace vqas
