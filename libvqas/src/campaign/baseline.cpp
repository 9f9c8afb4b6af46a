#include "vqas/campaign/baseline.h"

#include <fmt/format.h>

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>

#include "vqas/campaign/transmissions.h"
#include "vqas/receive/line_quality.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kOldest_days = 30;
constexpr double kSameLevel_db = 3;
constexpr const char* kFigures = "baseline.json";

// Noise and response of one direction, as baseline.json has it.
std::string quality_in_words(const Json& direction) {
  const Json noise = direction.value("noise_dbov", Json());
  std::string text = noise.is_number() ? fmt::format("noise {:.0f} dBov", noise.get<double>()) : std::string();
  double least = 0, most = 0;
  std::size_t bands = 0;
  for (const Json& band : direction.value("response", Json::array())) {
    const Json gain = band.is_object() ? band.value("gain_db", Json()) : Json();
    if (!gain.is_number()) continue;
    least = bands == 0 ? gain.get<double>() : std::min(least, gain.get<double>());
    most = bands == 0 ? gain.get<double>() : std::max(most, gain.get<double>());
    ++bands;
  }
  if (bands > 0) {
    text += fmt::format("{}response 315 to 3150 Hz {:+.1f} to {:+.1f} dB", text.empty() ? "" : ", ", least, most);
  }
  return text;
}

std::optional<double> level_of(const RunResults& run) {
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

std::string means_of(const RunResults& run) {
  std::string text;
  for (const DirectionRun& direction : run.directions) {
    const auto mean = summarise(direction, run.sampling).mean;
    text += fmt::format("{}{} to {} {:.2f}", text.empty() ? "" : ", ", direction.from, direction.to, mean.mean);
  }
  return text;
}

std::optional<double> median_delay_ms(const DirectionRun& direction, DelayBasis& basis) {
  std::vector<double> delays;
  for (const StimulusRun& stimulus : direction.stimuli) {
    for (const Measurement& one : stimulus.measurements) {
      if (!one.delay_ms) continue;
      delays.push_back(*one.delay_ms);
      basis = one.delay_basis;
    }
  }
  if (delays.empty()) return std::nullopt;
  std::ranges::nth_element(delays, delays.begin() + static_cast<std::ptrdiff_t>(delays.size() / 2));
  return delays[delays.size() / 2];
}

Json tenths(const std::optional<double>& value) {
  return value ? Json(std::round(*value * 10) / 10) : Json(nullptr);
}

Json direction_json(const DirectionRun& direction, const LineQuality& quality) {
  Json json{{"from", direction.from}, {"to", direction.to}, {"mos_lqo", Json::object()}};
  for (const StimulusRun& stimulus : direction.stimuli) {
    const bool scored = stimulus.interval.n > 0;
    json["mos_lqo"][stimulus.stimulus] = scored ? Json(std::round(stimulus.interval.mean * 1e4) / 1e4) : Json(nullptr);
  }
  DelayBasis basis = DelayBasis::unknown;
  const auto delay_ms = median_delay_ms(direction, basis);
  json["delay_ms"] = delay_ms ? Json(std::round(*delay_ms * 1e3) / 1e3) : Json(nullptr);
  json["delay_basis"] = to_string(basis);
  json["noise_dbov"] = tenths(quality.noise_dbov);
  json["response"] = Json::array();
  for (const BandGain& band : quality.response)
    json["response"].push_back({{"centre_hz", band.centre_hz}, {"gain_db", tenths(band.gain_db)}});
  return json;
}

// What "baseline.json" says of noise and response, in words; empty where it is not there or not to be read.
std::string quality_of(const std::filesystem::path& baseline) {
  const auto text = read_whole_file(baseline / kFigures, {"baseline", 1U << 20U, "keep the run once more"});
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object()) return {};
  std::string words;
  for (const Json& direction : json.value("directions", Json::array())) {
    if (!direction.is_object()) return {};
    const auto quality = quality_in_words(direction);
    if (quality.empty()) continue;
    words += fmt::format("; {} to {}: {}", direction.value("from", ""), direction.value("to", ""), quality);
  }
  return words;
}

bool is_real(const RunResults& run) {
  return !run.equipment.empty();
}

// By end, without what is known of their own delay.
std::map<std::string, std::string> devices_of(const RunResults& run) {
  auto devices = run.equipment;
  for (auto& [end, text] : devices) text.resize(std::min(text.find(';'), text.size()));
  return devices;
}

}  // namespace

std::string no_baseline() {
  return "no baseline: cable the two ends together, measure, and give that run to \"vqas line baseline\"";
}

std::filesystem::path baseline_folder() {
  const auto variable = [](const char* name) -> std::filesystem::path {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
  };
  if (auto named = variable("VQAS_BASELINE"); !named.empty()) return named;
  if (auto data = variable("XDG_DATA_HOME"); !data.empty()) return data / "vqas" / "baseline";
  return variable("HOME") / ".local" / "share" / "vqas" / "baseline";
}

std::string baseline_json(const std::filesystem::path& folder, const RunResults& run, const Corpus& corpus) {
  Json json{{"schema", "vqas-baseline/1"}, {"measured_utc", run.finished_utc}, {"equipment", run.equipment}};
  json["level_difference_db"] = tenths(level_of(run));
  json["directions"] = Json::array();
  for (const DirectionRun& direction : run.directions) {
    const auto quality = line_quality(transmissions_of(direction, folder, corpus, run.guard_s));
    json["directions"].push_back(direction_json(direction, quality));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Status keep_baseline(const std::filesystem::path& folder, const Corpus& corpus) {
  const auto run = load_run(folder);
  if (!run) return run.error();
  const RunResults& results = run->results;
  const auto unfit = [&folder](const char* why) {
    return Error{ErrorCode::bad_input, fmt::format("{}: {}; measure both directions with the ends cabled together, and "
                                                   "name that run",
                                                   folder.string(), why)};
  };
  if (!is_real(results)) return unfit("this run was not on a real line");
  if (!results.ended_because.empty()) return unfit("this run is not complete");
  if (results.directions.size() != 2) return unfit("this run has one direction only");
  if (results.corpus_digest != corpus.digest()) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: this run was measured with another corpus than {}; name the one "
                             "it was measured with (--corpus)",
                             folder.string(), corpus.folder().string())};
  }
  const std::filesystem::path kept = baseline_folder();
  std::error_code fault;
  std::filesystem::create_directories(kept, fault);
  if (fault) return Error{ErrorCode::io, fmt::format("{}: {}", kept.string(), fault.message())};
  Status figures = write_file_atomically(kept / kFigures, baseline_json(folder, results, corpus));
  if (!figures) return figures;
  return write_file_atomically(kept / kResultsFile, results_json(results, run->provenance));
}

std::string baseline_sentence(const RunResults& run, const std::filesystem::path& baseline,
                              const std::string& now_utc) {
  if (!is_real(run)) return {};
  std::error_code ignored;
  if (!std::filesystem::exists(baseline, ignored)) {
    return no_baseline();
  }
  const auto before = load_run(baseline);
  if (!before) return "the baseline cannot be read: " + before.error().message;
  const RunResults& base = before->results;
  std::string text = fmt::format("baseline of {}: MOS {}", base.finished_utc, means_of(base)) + quality_of(baseline);
  const auto then = QDateTime::fromString(QString::fromStdString(base.finished_utc), Qt::ISODate);
  const auto now = QDateTime::fromString(QString::fromStdString(now_utc), Qt::ISODate);
  if (!then.isValid() || then.daysTo(now) > kOldest_days) text += "; it is older than 30 days: measure a new one";
  if (devices_of(base) != devices_of(run)) text += "; it was measured with other devices: measure a new one";
  const auto level = level_of(run), base_level = level_of(base);
  if (level && base_level && std::fabs(*level - *base_level) > kSameLevel_db) {
    text += fmt::format("; its level was {:.0f} dB {}", std::fabs(*level - *base_level),
                        *base_level > *level ? "higher" : "lower");
  }
  return text;
}

}  // namespace vqas
