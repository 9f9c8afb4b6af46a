#include "score_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace vqas::cli {
namespace {

constexpr std::string_view kVersion = "score_version";

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : std::string();
}

}  // namespace

const CsvRow& score_columns() {
  static const CsvRow columns{
      "outcome", "mos_lqo", "auditory_distance",  "delay_ms", "clock_drift_ppm", "level_difference_db", "confidence",
      "cause",   "error",   std::string(kVersion)};
  return columns;
}

CsvRow score_fields(const Score& score) {
  return {std::string(to_string(score.outcome)),
          number(score.mos_lqo, 4),
          number(score.auditory_distance, 4),
          number(score.delay_ms, 4),
          number(score.clock_drift_ppm, 4),
          number(score.level_difference_db, 4),
          number(score.confidence, 4),
          "",
          score.reason,
          kScoreVersion};
}

std::size_t score_version_column() {
  const CsvRow& columns = score_columns();
  return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), kVersion) - columns.begin());
}

}  // namespace vqas::cli
