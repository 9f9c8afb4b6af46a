// The batch as a library call: values in, values out, and a file of rows that any later call continues.
#include "vqas/batch/score_manifest.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "batch/score_columns.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class ScoreManifestCall : public ::testing::Test {
 protected:
  ScoreManifestCall() {
    for (const char* name : {"M1.wav", "F2.wav"})
      fs::copy_file(fs::path(test::source_dir()) / "corpus/8k" / name, folder_.path() / name);
  }
  BatchOptions batch_of(const std::string& rows) const {
    test::write_text(folder_.path() / "pairs.csv", "reference,degraded,note\n" + rows);
    BatchOptions options;
    options.manifest = folder_.path() / "pairs.csv";
    options.out = folder_.path() / "scores.csv";
    options.columns = ScoreColumns::without_impairments;
    return options;
  }
  std::string scores() const { return test::read_text(folder_.path() / "scores.csv"); }

  test::TemporaryFolder folder_;
};

std::size_t count_of(const BatchSummary& summary, Outcome outcome) {
  return summary.outcomes[static_cast<std::size_t>(outcome)];
}

TEST_F(ScoreManifestCall, AMissingFileIsARowWithItsOutcome) {
  const auto summary = score_manifest(batch_of("M1.wav,M1.wav,\nM1.wav,gone.wav,\nF2.wav,F2.wav,\n"));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->progress.pairs, 3U);
  EXPECT_EQ(summary->progress.written, 3U);
  EXPECT_EQ(summary->scored, 2U);
  EXPECT_EQ(count_of(*summary, Outcome::scored), 2U);
  EXPECT_EQ(count_of(*summary, Outcome::bad_input), 1U);
  EXPECT_FALSE(summary->cancelled);
  EXPECT_THAT(scores(), StartsWith("reference,degraded,note,outcome,mos_lqo,"));
  EXPECT_THAT(scores(), HasSubstr("\nM1.wav,gone.wav,,bad_input,,"));
}

TEST_F(ScoreManifestCall, ContinuesAnInterruptedBatchAfterItsLastWholeRow) {
  const BatchOptions options = batch_of("M1.wav,M1.wav,a\nM1.wav,gone.wav,b\nF2.wav,F2.wav,c\n");
  ASSERT_TRUE(score_manifest(options));
  const std::string whole = scores();
  const std::size_t third = whole.find("\nF2.wav") + 1;
  test::write_text(options.out, whole.substr(0, third + 9));
  const auto summary = score_manifest(options);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->progress.found, 2U);
  EXPECT_EQ(summary->progress.written, 3U);
  EXPECT_EQ(summary->scored, 2U) << "including the one found in the file";
  EXPECT_EQ(count_of(*summary, Outcome::scored), 2U) << "of the whole file";
  EXPECT_EQ(count_of(*summary, Outcome::bad_input), 1U) << "found in the file";
  EXPECT_EQ(scores(), whole);
}

TEST_F(ScoreManifestCall, IsStoppedByItsProgressAndContinuedByTheNextCall) {
  std::string rows;
  for (int k = 0; k < 2000; ++k) rows += fmt::format("M1.wav,M1.wav,{}\n", k);
  const BatchOptions options = batch_of(rows);
  const auto caller = std::this_thread::get_id();
  std::size_t told = 0;
  const auto stop = [&](const BatchProgress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_EQ(progress.pairs, 2000U);
    ++told;
    return false;
  };
  const auto first = score_manifest(options, stop);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(first->cancelled);
  EXPECT_LT(first->progress.written, 2000U);
  const std::string kept = scores();
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(kept, '\n')), first->progress.written + 1);

  const auto second = score_manifest(options, stop);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->progress.found, first->progress.written);
  EXPECT_THAT(scores(), StartsWith(kept));
  EXPECT_GE(told, 2U);
}

TEST_F(ScoreManifestCall, ADamagedManifestIsAnErrorAndMakesNoFile) {
  BatchOptions options = batch_of("\"M1.wav,M1.wav,\n");
  const auto damaged = score_manifest(options);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::bad_input);
  EXPECT_FALSE(fs::exists(options.out));
  options.manifest = folder_.path() / "none.csv";
  EXPECT_FALSE(score_manifest(options));
}

TEST_F(ScoreManifestCall, ColumnsOfTheScoresAreUniqueAndEndWithMadeFrom) {
  for (const ScoreColumns columns : {ScoreColumns::all, ScoreColumns::without_impairments}) {
    CsvRow names = batch::score_columns(columns);
    EXPECT_EQ(names.back(), "made_from");
    EXPECT_EQ(batch::score_fields(Score(), columns).size() + 1, names.size());
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
  }
}

}  // namespace
}  // namespace vqas
