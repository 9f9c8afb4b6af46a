#include "baseline.h"

#include <fmt/format.h>

#include <QDateTime>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

constexpr int kOldest_days = 30;
constexpr double kSameLevel_db = 3;

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

bool is_real(const RunResults& run) {
  return !run.equipment.empty();
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
  if (const auto named = variable("VQAS_BASELINE"); !named.empty()) return named;
  if (const auto data = variable("XDG_DATA_HOME"); !data.empty()) return data / "vqas" / "baseline";
  return variable("HOME") / ".local" / "share" / "vqas" / "baseline";
}

Status keep_baseline(const std::filesystem::path& folder) {
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
  const std::filesystem::path kept = baseline_folder();
  std::error_code fault;
  std::filesystem::create_directories(kept, fault);
  if (fault) return Error{ErrorCode::io, fmt::format("{}: {}", kept.string(), fault.message())};
  return write_file_atomically(kept / "results.json", results_json(results, run->provenance));
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
  std::string text = fmt::format("baseline of {}: MOS {}", base.finished_utc, means_of(base));
  const auto then = QDateTime::fromString(QString::fromStdString(base.finished_utc), Qt::ISODate);
  const auto now = QDateTime::fromString(QString::fromStdString(now_utc), Qt::ISODate);
  if (!then.isValid() || then.daysTo(now) > kOldest_days) text += "; it is older than 30 days: measure a new one";
  if (base.equipment != run.equipment) text += "; it was measured with other devices: measure a new one";
  const auto level = level_of(run), base_level = level_of(base);
  if (level && base_level && std::fabs(*level - *base_level) > kSameLevel_db) {
    text += fmt::format("; its level was {:.0f} dB {}", std::fabs(*level - *base_level),
                        *base_level > *level ? "higher" : "lower");
  }
  return text;
}

}  // namespace vqas::cli
