#include <algorithm>
#include <cmath>

#include "run/json.h"
#include "trend/parts.h"
#include "trend/utc.h"
#include "vqas/report/summary.h"

namespace vqas {
namespace {

using namespace trend;
using store::rounded;

constexpr std::array kWeekdays = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};

Json mos(double value) {
  return rounded(value, kMosStep);
}

Json half_width(double value) {
  return rounded(std::max(value, kMosStep), kMosStep);
}

Json costs_json(const std::optional<std::array<double, kAllImpairments.size()>>& costs) {
  if (!costs) return nullptr;
  Json json = Json::object();
  for (std::size_t i = 0; i < costs->size(); ++i) json[std::string(to_string(kAllImpairments[i]))] = mos((*costs)[i]);
  return json;
}

class Writer {
 public:
  explicit Writer(const CircuitTrend& trend) : trend_(trend) {}

  Json page() const {
    Json directions = Json::array();
    for (const DirectionTrend& one : trend_.directions) directions.push_back(direction(one));
    Json runs = Json::array();
    for (const RunOfTrend& one : trend_.runs) runs.push_back(run(one));
    Json left_out = Json::array();
    for (const MissedStart& one : trend_.left_out)
      left_out.push_back({{"due_utc", utc_text(one.due_s)}, {"reason", one.why}});
    Json later = Json::array();
    for (const double one : trend_.later_s) later.push_back(utc_text(one));
    return {{"schema", kTrendSchema},
            {"circuit", trend_.name},
            {"tags", trend_.tags},
            {"time_zone", trend_.local.zone()},
            {"cadence_s", trend_.cadence_s ? Json(std::round(*trend_.cadence_s)) : Json(nullptr)},
            {"directions", directions},
            {"runs", runs},
            {"starts_left_out", left_out},
            {"left_out_later_utc", later}};
  }

 private:
  Json time(std::size_t run) const { return utc_text(trend_.runs[run].started_s); }

  Json change(const TrendChange& one) const {
    return {{"before_utc", time(one.before)},
            {"after_utc", time(one.after)},
            {"earliest_utc", time(one.earliest)},
            {"latest_utc", time(one.latest)},
            {"from_mos_lqo", mos(one.from_mos)},
            {"to_mos_lqo", mos(one.to_mos)},
            {"step", mos(one.to_mos - one.from_mos)},
            {"half_width", half_width(one.half_width)},
            {"statistic", rounded(one.statistic, 0.01)},
            {"p_bound", one.probability}};
  }

  Json scale(const TrendScale& one) const {
    Json levels = Json::array(), changes = Json::array(), strays = Json::array();
    for (const TrendLevel& level : one.levels)
      levels.push_back({{"first_utc", time(level.first)},
                        {"last_utc", time(level.last)},
                        {"mos_lqo", mos(level.mos)},
                        {"half_width", half_width(level.half_width)}});
    for (const TrendChange& each : one.changes) changes.push_back(change(each));
    for (const std::size_t stray : one.strays) strays.push_back(time(stray));
    return {{"score_version", one.score_version},
            {"stimuli", one.stimuli},
            {"setup", one.setup},
            {"runs", one.runs.size()},
            {"levels", levels},
            {"changes", changes},
            {"strays_utc", strays},
            {"between_runs_deviation", mos(one.between_runs)},
            {"variance_inflation", rounded(one.inflation, 0.01)},
            {"places_tested", one.places},
            {"threshold", rounded(one.threshold, 0.01)},
            {"usual_day_removed", one.by_hour},
            {"usual_week_removed", one.by_weekday}};
  }

  static Json outage(const TrendOutage& one) {
    return {{"from_utc", utc_text(one.from_s)},
            {"until_utc", one.until_s ? Json(utc_text(*one.until_s)) : Json(nullptr)},
            {"runs", one.runs},
            {"missed_starts", one.missed},
            {"reason", one.why}};
  }

  static Json bin(const TrendBin& one, const char* name, Json value) {
    return {{name, std::move(value)},
            {"runs", one.runs},
            {"repeats", one.repeats},
            {"difference", mos(one.difference)},
            {"half_width", half_width(one.half_width)},
            {"differs", one.differs()}};
  }

  Json direction(const DirectionTrend& one) const {
    Json scales = Json::array(), outages = Json::array(), hours = Json::array(), weekdays = Json::array();
    Json causes = Json::array();
    for (const TrendScale& each : one.scales) scales.push_back(scale(each));
    for (const TrendOutage& each : one.outages) outages.push_back(outage(each));
    for (const TrendBin& each : one.hours) hours.push_back(bin(each, "hour", each.bin));
    for (const TrendBin& each : one.weekdays)
      weekdays.push_back(bin(each, "weekday", kWeekdays[static_cast<std::size_t>(each.bin)]));
    for (const TrendCauses& each : one.causes)
      causes.push_back({{"from_utc", utc_text(each.from_s)},
                        {"runs", each.runs},
                        {"share_unscored", rounded(each.share_unscored, 1e-4)},
                        {"costs_mos", costs_json(each.costs)}});
    return {{"from", name_of(one.from)},
            {"to", name_of(other_end(one.from))},
            {"scales", scales},
            {"outages", outages},
            {"hours", hours},
            {"weekdays", weekdays},
            {"causes_by", one.causes_by_week ? "week" : "day"},
            {"causes", causes}};
  }

  static Json run(const RunOfTrend& one) {
    Json directions = Json::array();
    for (const DirectionOfRun& each : one.directions)
      directions.push_back({{"from", name_of(each.from)},
                            {"mos_lqo", each.mean ? mos(*each.mean) : Json(nullptr)},
                            {"half_width", each.mean ? half_width(each.half_width) : Json(nullptr)},
                            {"confidence", each.confidence},
                            {"measurements", each.measurements},
                            {"scored", each.scored},
                            {"conditional", each.conditional},
                            {"partial", each.partial},
                            {"verdict", each.verdict ? Json(to_string(*each.verdict)) : Json(nullptr)},
                            {"costs_mos", costs_json(each.costs)}});
    return {{"uuid", one.uuid},
            {"started_utc", utc_text(one.started_s)},
            {"campaign", one.campaign},
            {"score_version", one.score_version},
            {"stimuli", one.stimuli},
            {"model_error_mos", one.model_error_mos > 0 ? Json(one.model_error_mos) : Json(nullptr)},
            {"ended_because", one.ended_because},
            {"directions", directions}};
  }

  const CircuitTrend& trend_;
};

}  // namespace

std::string trend_json(const CircuitTrend& trend) {
  return store::to_page(Writer(trend).page());
}

}  // namespace vqas
