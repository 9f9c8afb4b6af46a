#include "trend/run_record.h"

#include <cmath>
#include <limits>
#include <string_view>

#include "run/json.h"

namespace vqas::trend {
namespace {

constexpr double kMost = 1e12;
constexpr std::size_t kLongest = 4096;

std::optional<LimitVerdict> verdict_named(std::string_view name) {
  for (const LimitVerdict one : {LimitVerdict::pass, LimitVerdict::fail, LimitVerdict::undecided}) {
    if (to_string(one) == name) return one;
  }
  return std::nullopt;
}

DirectionOfRun direction_from(const Json& json, store::Reader& run) {
  store::Reader reader(json, run.where());
  DirectionOfRun direction;
  const auto from = end_of_name(reader.text("from", kLongest));
  if (!from) reader.fail("is of no direction");
  direction.from = from.value_or(End::a);
  direction.mean = reader.optional_number("mean", 1, 5);
  direction.half_width =
      reader.optional_number("half_width", 0, kMost).value_or(std::numeric_limits<double>::infinity());
  direction.confidence = reader.number("confidence", 0, 1);
  direction.standard_error = reader.number("standard_error", 0, kMost);
  direction.measurements = reader.whole("measurements", 0, 1'000'000'000);
  direction.scored = reader.whole("scored", 0, direction.measurements);
  direction.conditional = reader.flag("conditional");
  direction.partial = reader.flag("partial");
  direction.no_score = reader.text("no_score", kLongest);
  direction.not_scored_because = reader.text("because", kLongest);
  direction.verdict = verdict_named(reader.optional_text("verdict", kLongest));
  if (const Json& costs = reader.array("costs"); costs.size() == kAllImpairments.size()) {
    auto& all = direction.costs.emplace();
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = costs[i].is_number() ? costs[i].get<double>() : 0;
    }
  }
  if (reader.fault()) run.fail(reader.fault()->message);
  return direction;
}

}  // namespace

Json to_json(const RunOfTrend& run) {
  Json directions = Json::array();
  for (const DirectionOfRun& one : run.directions) {
    directions.push_back({{"from", name_of(one.from)},
                          {"mean", one.mean ? Json(*one.mean) : Json(nullptr)},
                          {"half_width", std::isfinite(one.half_width) ? Json(one.half_width) : Json(nullptr)},
                          {"confidence", one.confidence},
                          {"standard_error", one.standard_error},
                          {"measurements", one.measurements},
                          {"scored", one.scored},
                          {"conditional", one.conditional},
                          {"partial", one.partial},
                          {"no_score", one.no_score},
                          {"because", one.not_scored_because},
                          {"verdict", one.verdict ? Json(to_string(*one.verdict)) : Json(nullptr)},
                          {"costs", one.costs ? Json(*one.costs) : Json::array()}});
  }
  return {{"uuid", run.uuid},
          {"campaign", run.campaign},
          {"line", run.line},
          {"tags", run.tags},
          {"started_s", run.started_s},
          {"score_version", run.score_version},
          {"stimuli", run.stimuli},
          {"setup", run.setup},
          {"simulated", run.simulated},
          {"model_error_mos", run.model_error_mos},
          {"ended_because", run.ended_because},
          {"directions", directions}};
}

Result<RunOfTrend> run_from_json(const Json& json, const std::string& where) {
  store::Reader reader(json, where);
  RunOfTrend run;
  run.uuid = reader.text("uuid", kLongest);
  run.campaign = reader.text("campaign", kLongest);
  run.line = reader.text("line", kLongest);
  const Json& tags = reader.object("tags");
  for (auto tag = tags.begin(); tag != tags.end(); ++tag)
    run.tags[tag.key()] = store::Reader(tags, where).optional_text(tag.key().c_str(), kLongest);
  run.started_s = reader.number("started_s", -kMost, kMost);
  run.score_version = reader.text("score_version", kLongest);
  run.stimuli = reader.text("stimuli", kLongest);
  run.setup = reader.text("setup", kLongest);
  run.simulated = reader.flag("simulated");
  run.model_error_mos = reader.number("model_error_mos", 0, kMost);
  run.ended_because = reader.text("ended_because", kLongest);
  for (const Json& one : reader.array("directions")) {
    if (!one.is_object()) {
      reader.fail("holds a direction that is no object");
      continue;
    }
    run.directions.push_back(direction_from(one, reader));
  }
  if (reader.fault()) return *reader.fault();
  return run;
}

}  // namespace vqas::trend
