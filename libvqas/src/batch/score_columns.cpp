#include "batch/score_columns.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "vqas/run/finding_fields.h"

namespace vqas::batch {
namespace {

constexpr std::string_view kVersion = "score_version";
constexpr std::string_view kMadeFrom = "made_from";

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : std::string();
}

// A missing file differs from the same file made later. A folder is no recording: its time says nothing about one.
std::string state_of(const std::filesystem::path& file, int channel) {
  struct stat about {};
  if (::stat(file.c_str(), &about) != 0 || S_ISDIR(about.st_mode)) return fmt::format("{}:none", channel);
  return fmt::format("{}:{}@{}.{:09}", channel, about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec);
}

// Strongest first, with ";" between them.
std::string impairment_names(const Score& score) {
  std::string names;
  for (const ImpairmentFinding& finding : score.impairments) {
    if (!names.empty()) names += ';';
    names += to_string(finding.impairment);
  }
  return names;
}

}  // namespace

const CsvRow& score_columns(ScoreColumns columns) {
  static const CsvRow all = [] {
    CsvRow names{"outcome",    "mos_lqo",         "auditory_distance",
                 "delay_ms",   "clock_drift_ppm", "level_difference_db",
                 "confidence", "impairment",      "error"};
    for (const FindingField& field : kFindingFields) names.emplace_back(field.name);
    names.emplace_back(kVersion);
    names.emplace_back(kMadeFrom);
    return names;
  }();
  static const CsvRow without_impairments{"outcome",
                                          "mos_lqo",
                                          "auditory_distance",
                                          "delay_ms",
                                          "clock_drift_ppm",
                                          "level_difference_db",
                                          "confidence",
                                          "error",
                                          std::string(kVersion),
                                          std::string(kMadeFrom)};
  return columns == ScoreColumns::all ? all : without_impairments;
}

CsvRow score_fields(const Score& score, ScoreColumns columns) {
  CsvRow row{std::string(to_string(score.outcome)),
             number(score.mos_lqo, 4),
             number(score.auditory_distance, 4),
             number(score.delay_ms, 4),
             number(score.clock_drift_ppm, 4),
             number(score.level_difference_db, 4),
             number(score.confidence, 4)};
  if (columns == ScoreColumns::all) row.push_back(impairment_names(score));
  row.push_back(score.reason);
  const auto findings = columns == ScoreColumns::all ? findings_of(score) : std::nullopt;
  if (findings) {
    for (const FindingField& field : kFindingFields) row.push_back(number((*findings).*field.value, field.digits));
  } else {
    row.resize(score_version_column(columns));
  }
  row.emplace_back(score_version(score.mode));
  return row;
}

std::string made_from(const RecordingPair& pair) {
  return state_of(pair.reference, pair.reference_channel) + " " + state_of(pair.degraded, pair.degraded_channel);
}

std::size_t made_from_column(ScoreColumns columns) {
  return score_columns(columns).size() - 1;
}

std::size_t score_version_column(ScoreColumns columns) {
  const CsvRow& names = score_columns(columns);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), kVersion) - names.begin());
}

}  // namespace vqas::batch
