#include "vqas/campaign/baseline_figures.h"

#include <cmath>
#include <string_view>

#include "campaign/transmissions.h"
#include "vqas/report/findings.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/json_text.h"

namespace vqas {
namespace {

Json tenths(const std::optional<double>& value) {
  return value ? Json(std::round(*value * 10) / 10) : Json(nullptr);
}

Json direction_json(const DirectionRun& direction, const LineQuality& quality) {
  Json json{{"from", name_of(direction.from)}, {"to", name_of(direction.to())}, {"mos_lqo", Json::object()}};
  for (const StimulusRun& stimulus : direction.stimuli) {
    const bool scored = stimulus.interval.n > 0;
    json["mos_lqo"][stimulus.stimulus] = scored ? Json(std::round(stimulus.interval.mean * 1e4) / 1e4) : Json(nullptr);
  }
  const auto delay = median_delay(direction);
  json["delay_ms"] = delay ? Json(std::round(delay->ms * 1e3) / 1e3) : Json(nullptr);
  json["delay_basis"] = to_string(delay ? delay->basis : DelayBasis::unknown);
  json["noise_dbov"] = tenths(quality.noise_dbov);
  json["response"] = Json::array();
  for (const BandGain& band : quality.response)
    json["response"].push_back({{"centre_hz", band.centre_hz}, {"gain_db", tenths(band.gain_db)}});
  return json;
}

// A member that is missing or of another type is empty.
Json member(const Json& object, const char* name) {
  const auto place = object.find(name);
  return place == object.end() ? Json() : *place;
}

std::optional<double> number_in(const Json& object, const char* name) {
  const Json value = member(object, name);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::string text_in(const Json& object, const char* name) {
  const Json value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

BaselineDirection direction_from(const Json& json, End from) {
  BaselineDirection direction;
  direction.from = from;
  const Json scores = member(json, "mos_lqo");
  for (const auto& [stimulus, mos] : scores.items())
    direction.mos_lqo.emplace_back(stimulus, mos.is_number() ? std::optional(mos.get<double>()) : std::nullopt);
  direction.delay_ms = number_in(json, "delay_ms");
  direction.delay_basis = delay_basis_from_string(text_in(json, "delay_basis")).value_or(DelayBasis::unknown);
  direction.noise_dbov = number_in(json, "noise_dbov");
  for (const Json& band : member(json, "response")) {
    const auto centre_hz = number_in(band, "centre_hz"), gain_db = number_in(band, "gain_db");
    if (centre_hz && gain_db) direction.response.push_back({*centre_hz, *gain_db});
  }
  return direction;
}

}  // namespace

std::optional<double> mean_level_difference_db(const RunResults& run) {
  double sum = 0;
  std::size_t count = 0;
  for (const DirectionRun& direction : run.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      for (const Measurement& one : stimulus.measurements) {
        if (!one.level_difference_db) continue;
        sum += *one.level_difference_db;
        ++count;
      }
    }
  }
  if (count == 0) return std::nullopt;
  return sum / static_cast<double>(count);
}

std::string baseline_json(const std::filesystem::path& folder, const RunResults& run, const Corpus& corpus) {
  Json json{{"schema", "vqas-baseline/1"}, {"measured_utc", run.finished_utc}, {"equipment", run.equipment}};
  if (run.mode != ScoreMode::narrowband) json["score_mode"] = to_string(run.mode);
  json["level_difference_db"] = tenths(mean_level_difference_db(run));
  json["directions"] = Json::array();
  for (const DirectionRun& direction : run.directions) {
    const auto quality = line_quality(transmissions_of(direction, folder, corpus, run.guard_s));
    json["directions"].push_back(direction_json(direction, quality));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<BaselineFigures> read_baseline_figures(const std::filesystem::path& folder) {
  const auto path = folder / kBaselineFigures;
  const auto text = read_whole_file(path, {"baseline", 1U << 20U, "keep the run once more"});
  const auto json = text ? parse_json_text(*text, path.string()) : Result<Json>(text.error());
  if (!json || !json->is_object())
    return Error{ErrorCode::bad_input, path.string() + " is missing or damaged; keep the run once more"};
  BaselineFigures figures;
  figures.json = json->dump(2);
  for (const Json& direction : member(*json, "directions")) {
    if (const auto from = end_of_name(text_in(direction, "from")))
      figures.directions.push_back(direction_from(direction, *from));
  }
  return figures;
}

}  // namespace vqas
