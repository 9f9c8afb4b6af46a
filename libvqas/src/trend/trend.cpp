#include "vqas/trend/trend.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <regex>
#include <utility>

#include "trend/parts.h"

namespace vqas {
namespace {

using namespace trend;

// More days than these are shown by week.
constexpr std::int64_t kMostDays = 62;
// Machines that keep their time differ by less.
constexpr double kClockError_s = 300;

std::string tag(const RunOfTrend& run, const char* name) {
  const auto found = run.tags.find(name);
  return found == run.tags.end() ? std::string() : found->second;
}

std::vector<Residual> residuals_of(std::span<const RunOfTrend> runs, const DirectionTrend& trend,
                                   const LocalTime& local) {
  std::vector<Residual> residuals;
  for (const TrendScale& scale : trend.scales) {
    auto level = scale.levels.begin();
    for (const std::size_t r : scale.runs) {
      const DirectionOfRun& direction = *direction_of(runs[r], trend.from);
      if (direction.partial) continue;
      while (r > level->last) ++level;
      residuals.push_back({local.at(runs[r].started_s), *direction.mean - level->mos});
    }
  }
  return residuals;
}

DirectionTrend direction_trend(std::span<const RunOfTrend> runs, std::span<const MissedStart> missed, End from,
                               const TrendOptions& options) {
  DirectionTrend trend;
  trend.from = from;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (direction_of(runs[r], from) != nullptr) trend.runs.push_back(r);
  }
  trend.scales = scales_of(runs, trend, options);
  trend.outages = outages_of(runs, missed, trend, options.local);
  const std::vector<Residual> residuals = residuals_of(runs, trend, options.local);
  trend.hours = by_hour(residuals);
  trend.weekdays = by_weekday(residuals);
  const std::int64_t first = options.local.at(runs[trend.runs.front()].started_s).day;
  trend.causes_by_week = options.local.at(runs[trend.runs.back()].started_s).day - first > kMostDays;
  trend.causes = causes_of(runs, trend, options.local, trend.causes_by_week);
  return trend;
}

}  // namespace

const DirectionOfRun* trend::direction_of(const RunOfTrend& run, End from) {
  const auto found = std::ranges::find(run.directions, from, &DirectionOfRun::from);
  return found == run.directions.end() ? nullptr : &*found;
}

const TrendChange* DirectionTrend::last_change() const {
  const TrendChange* last = nullptr;
  for (const TrendScale& scale : scales) {
    if (!scale.changes.empty() && (last == nullptr || scale.changes.back().after > last->after))
      last = &scale.changes.back();
  }
  return last;
}

ScoreMode scale_of(const RunOfTrend& run) {
  return run.score_version.starts_with("vqas-wb-") ? ScoreMode::wideband : ScoreMode::narrowband;
}

Circuit circuit_of(const RunOfTrend& run) {
  const ScoreMode mode = scale_of(run);
  const std::string circuit = tag(run, "circuit");
  if (circuit.empty()) return {run.campaign.empty() ? run.line : run.campaign, mode};
  std::string name;
  for (const char* const part : {"customer", "site"}) {
    // Within a value the separator would make one name of two circuits.
    const std::string value = std::regex_replace(tag(run, part), std::regex(" / "), "/");
    if (!value.empty()) name += value + " / ";
  }
  return {name + circuit, mode};
}

std::string shown_name(const Circuit& circuit) {
  return circuit.mode == ScoreMode::wideband ? circuit.name + ", wideband" : circuit.name;
}

CircuitTrend trend_of(std::vector<RunOfTrend> runs, const TrendOptions& options, std::vector<MissedStart> missed) {
  std::ranges::stable_sort(runs, {}, [](const RunOfTrend& run) { return std::pair(run.started_s, run.uuid); });
  CircuitTrend whole{.name = runs.empty() ? std::string() : shown_name(circuit_of(runs.back())),
                     .tags = runs.empty() ? std::map<std::string, std::string>() : runs.back().tags,
                     .runs = std::move(runs),
                     .missed = std::move(missed),
                     .left_out = {},
                     .later_s = {},
                     .directions = {},
                     .cadence_s = {},
                     .local = options.local};
  std::ranges::stable_sort(whole.missed, {}, &MissedStart::due_s);
  std::ranges::copy_if(whole.missed, std::back_inserter(whole.left_out), &MissedStart::left_out);
  std::erase_if(whole.missed, [](const MissedStart& one) { return one.left_out; });
  std::erase_if(whole.runs, [&](const RunOfTrend& run) {
    const bool is_later = !run.simulated && run.started_s > options.now_s + kClockError_s;
    if (is_later) whole.later_s.push_back(run.started_s);
    return is_later;
  });
  for (const RunOfTrend& run : whole.runs)
    std::erase_if(whole.tags, [&](const auto& one) { return tag(run, one.first.c_str()) != one.second; });
  std::vector<double> started_s;
  for (const RunOfTrend& run : whole.runs) started_s.push_back(run.started_s);
  whole.cadence_s = cadence_of(started_s);
  for (const End from : {End::a, End::b}) {
    const auto measured = [&](const RunOfTrend& run) { return direction_of(run, from) != nullptr; };
    if (std::ranges::any_of(whole.runs, measured))
      whole.directions.push_back(direction_trend(whole.runs, whole.missed, from, options));
  }
  return whole;
}

std::string_view to_string(CircuitState state) {
  switch (state) {
    case CircuitState::overdue:
      return "overdue";
    case CircuitState::no_score:
      return "no score";
    case CircuitState::not_measured:
      return "not measured";
    case CircuitState::fails:
      return "below the limit";
    case CircuitState::undecided:
      return "undecided";
    case CircuitState::worse:
      return "worse";
    case CircuitState::passes:
      return "meets the limit";
    case CircuitState::few_runs:
      return "few runs";
    case CircuitState::steady:
      return "steady";
  }
  return "";
}

std::optional<CircuitState> state_of(const CircuitTrend& trend, double now_s) {
  constexpr double kOverdue = 3;
  if (trend.runs.empty()) return std::nullopt;
  const RunOfTrend& last = trend.runs.back();
  const double usual_s = last.slot_step_s > 0 ? last.slot_step_s : trend.cadence_s.value_or(0);
  if (usual_s > 0 && now_s - last.started_s > kOverdue * usual_s) return CircuitState::overdue;
  const bool tried_since = std::ranges::any_of(
      trend.missed, [&](const MissedStart& one) { return one.tried && one.due_s > last.started_s; });
  if (tried_since) return CircuitState::no_score;
  const auto any = [&last](auto&& test) { return std::ranges::any_of(last.directions, test); };
  const auto verdict = [&any](LimitVerdict wanted) {
    return any([wanted](const DirectionOfRun& one) { return one.verdict == wanted; });
  };
  if (last.directions.empty() || any([](const DirectionOfRun& one) { return !one.mean; }))
    return CircuitState::no_score;
  if (!last.ended_because.empty()) return CircuitState::not_measured;
  if (verdict(LimitVerdict::fail)) return CircuitState::fails;
  if (verdict(LimitVerdict::undecided)) return CircuitState::undecided;
  const auto fell = [](const DirectionTrend& one) {
    const TrendChange* const change = one.last_change();
    return change != nullptr && change->to_mos < change->from_mos;
  };
  if (std::ranges::any_of(trend.directions, fell)) return CircuitState::worse;
  if (verdict(LimitVerdict::pass)) return CircuitState::passes;
  const auto searched = [](const DirectionTrend& one) {
    return !one.scales.empty() && std::isfinite(one.scales.back().threshold);
  };
  return std::ranges::all_of(trend.directions, searched) ? CircuitState::steady : CircuitState::few_runs;
}

}  // namespace vqas
