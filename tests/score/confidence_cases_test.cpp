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

std::vector<std::string> cells_of(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> cells;
  for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<Row> rows_of(const std::string& name) {
  std::ifstream file(std::filesystem::path(test::source_dir()) / "tests" / "score" / name);
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> names = cells_of(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    Row& row = rows.emplace_back();
    const std::vector<std::string> cells = cells_of(line);
    for (std::size_t i = 0; i < cells.size(); ++i) row[names.at(i)] = std::stod(cells[i]);
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
    circumstances.stretched = row.at("stretched");
    circumstances.ends_lost_s = row.at("ends_lost_s");
    circumstances.taken = row.at("taken");
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
