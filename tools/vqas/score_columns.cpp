#include "score_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "vqas/node/finding_fields.h"

namespace vqas::cli {
namespace {

constexpr std::string_view kVersion = "score_version";

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : std::string();
}

}  // namespace

const CsvRow& score_columns(Columns columns) {
  static const CsvRow all = [] {
    CsvRow names{"outcome",    "mos_lqo",         "auditory_distance",
                 "delay_ms",   "clock_drift_ppm", "level_difference_db",
                 "confidence", "cause",           "error"};
    for (const FindingField& field : kFindingFields) names.emplace_back(field.name);
    names.emplace_back(kVersion);
    return names;
  }();
  static const CsvRow without_causes{"outcome",    "mos_lqo",         "auditory_distance",
                                     "delay_ms",   "clock_drift_ppm", "level_difference_db",
                                     "confidence", "error",           std::string(kVersion)};
  return columns == Columns::all ? all : without_causes;
}

std::string cause_names(const Score& score) {
  std::string names;
  for (const CauseFinding& finding : score.causes) {
    if (!names.empty()) names += ';';
    names += to_string(finding.cause);
  }
  return names;
}

CsvRow score_fields(const Score& score, Columns columns) {
  CsvRow row{std::string(to_string(score.outcome)),
             number(score.mos_lqo, 4),
             number(score.auditory_distance, 4),
             number(score.delay_ms, 4),
             number(score.clock_drift_ppm, 4),
             number(score.level_difference_db, 4),
             number(score.confidence, 4)};
  if (columns == Columns::all) row.push_back(cause_names(score));
  row.push_back(score.reason);
  const auto findings = columns == Columns::all ? findings_of(score) : std::nullopt;
  if (findings) {
    for (const FindingField& field : kFindingFields) row.push_back(number((*findings).*field.value, field.digits));
  } else {
    row.resize(score_version_column(columns));
  }
  row.emplace_back(kScoreVersion);
  return row;
}

std::size_t score_version_column(Columns columns) {
  const CsvRow& names = score_columns(columns);
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), kVersion) - names.begin());
}

}  // namespace vqas::cli
