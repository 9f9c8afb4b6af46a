#include "vqas/campaign/baseline.h"

#include <fmt/format.h>

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

constexpr int kOldest_days = 30;
constexpr double kSameLevel_db = 3;

std::string quality_in_words(const BaselineDirection& direction) {
  std::string text = direction.noise_dbov ? fmt::format("noise {:.0f} dBov", *direction.noise_dbov) : std::string();
  if (direction.response.empty()) return text;
  const auto [least, most] = std::ranges::minmax(direction.response, {}, &BandGain::gain_db);
  return text + fmt::format("{}response 315 to 3150 Hz {:+.1f} to {:+.1f} dB", text.empty() ? "" : ", ", least.gain_db,
                            most.gain_db);
}

/// The means of a baseline beside a run of mode `mode`. Two scales have no common mean.
std::string means_of(const RunResults& base, ScoreMode mode) {
  if (base.mode != mode) {
    return fmt::format("its scores are {} and cannot be compared with {}: measure a new one in the same mode",
                       scale_name(base.mode), scale_name(mode));
  }
  std::string text = mode == ScoreMode::narrowband ? "MOS" : std::string(scale_name(mode));
  for (std::size_t d = 0; d < base.directions.size(); ++d) {
    const DirectionRun& direction = base.directions[d];
    const auto mean = summarise(direction, base.sampling).mean;
    text += fmt::format("{} {} {:.2f}", d == 0 ? "" : ",", direction_words(direction.from), mean.mean);
  }
  return text;
}

// Noise and response of each direction, if its figures have them.
std::string quality_of(const std::filesystem::path& baseline) {
  const auto figures = read_baseline_figures(baseline);
  if (!figures) return {};
  std::string words;
  for (const BaselineDirection& direction : figures->directions) {
    const std::string quality = quality_in_words(direction);
    if (!quality.empty()) words += fmt::format("; {}: {}", direction_words(direction.from), quality);
  }
  return words;
}

bool is_real(const RunResults& run) {
  return !run.equipment.empty();
}

// The devices by end, without their own delay.
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
  if (!results.is_complete()) return unfit("this run is not complete");
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
  Status figures = write_file_atomically(kept / kBaselineFigures, baseline_json(folder, results, corpus));
  if (!figures) return figures;
  return write_file_atomically(kept / kResultsFile, results_json(results, run->provenance));
}

Result<Baseline> read_baseline(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored)) return Error{ErrorCode::bad_input, no_baseline()};
  auto run = load_run(folder);
  if (!run) return run.error();
  auto figures = read_baseline_figures(folder);
  if (!figures) return figures.error();
  return Baseline{std::move(run->results), *std::move(figures)};
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
  std::string text =
      fmt::format("baseline of {}: {}", base.finished_utc, means_of(base, run.mode)) + quality_of(baseline);
  const auto then = QDateTime::fromString(QString::fromStdString(base.finished_utc), Qt::ISODate);
  const auto now = QDateTime::fromString(QString::fromStdString(now_utc), Qt::ISODate);
  if (!then.isValid() || then.daysTo(now) > kOldest_days) text += "; it is older than 30 days: measure a new one";
  if (devices_of(base) != devices_of(run)) text += "; it was measured with other devices: measure a new one";
  const auto level = mean_level_difference_db(run), base_level = mean_level_difference_db(base);
  if (level && base_level && std::fabs(*level - *base_level) > kSameLevel_db) {
    text += fmt::format("; its level was {:.0f} dB {}", std::fabs(*level - *base_level),
                        *base_level > *level ? "higher" : "lower");
  }
  return text;
}

}  // namespace vqas
