// The confidence is that of the calibration's own implementation, tools/calibration/confidence.py: the factors are
// fitted for its definition. confidence_cases.py beside it writes the files that are read here, and says how.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "score/confidence/confidence.h"
#include "score/recipes.h"

namespace vqas {
namespace {

using Row = std::map<std::string, double>;

std::vector<Row> rows_of(const std::string& name) {
  std::ifstream file(std::filesystem::path(test::source_dir()) / "tests" / "score" / name);
  std::vector<std::string> names;
  std::vector<Row> rows;
  for (std::string line, cell; std::getline(file, line);) {
    std::istringstream cells(line);
    Row row;
    for (std::size_t i = 0; std::getline(cells, cell, ','); ++i) {
      if (rows.empty() && i >= names.size()) {
        names.push_back(cell);
      } else {
        row[names.at(i)] = std::stod(cell);
      }
    }
    if (!row.empty()) rows.push_back(row);
  }
  return rows;
}

void expect_the_same(ScoreMode mode, const std::string& name) {
  const scoring::ScoreModel model = scoring::score_model(mode);
  const std::vector<Row> rows = rows_of(name);
  EXPECT_GT(rows.size(), 100U);
  for (const Row& row : rows) {
    scoring::Circumstances circumstances;
    circumstances.shortness = row.at("short");
    circumstances.noise = row.at("noise");
    circumstances.step_distance = row.at("step_distance");
    circumstances.long_step_distance = row.at("long_step_distance");
    circumstances.tone = row.at("tone");
    circumstances.foreign_s = row.at("foreign_s");
    circumstances.by_pattern = row.at("by_pattern") > 0;
    const double scale = error_scale(circumstances, row.at("drift_ppm"), model.listening);
    EXPECT_NEAR(confidence_of(row.at("ad"), scale, model), row.at("confidence"), 1e-8) << testing::PrintToString(row);
  }
}

TEST(ConfidenceCases, AreThoseOfTheCalibrationInNarrowband) {
  expect_the_same(ScoreMode::narrowband, "confidence_cases_narrowband.csv");
}

TEST(ConfidenceCases, AreThoseOfTheCalibrationInWideband) {
  expect_the_same(ScoreMode::wideband, "confidence_cases_wideband.csv");
}

}  // namespace
}  // namespace vqas
