// The batch as a library call: values in, values out, and a file of rows that any later call continues.
#include "vqas/batch/score_manifest.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "batch/score_columns.h"
#include "support/float_wav.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
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

// Options that choose a channel choose it for all rows: the cure of a single pair would spoil the mono ones.
TEST_F(ScoreManifestCall, AStereoFileIsARowWithACureThatSuitsAManifest) {
  const Signal speech = *read_audio(folder_.path() / "M1.wav");
  for (const auto& [name, times] : {std::pair{"both.wav", 1}, std::pair{"long-both.wav", 40}}) {
    std::vector<float> mono, both;
    for (int n = 0; n < times; ++n) mono.insert(mono.end(), speech.samples.begin(), speech.samples.end());
    for (const float sample : mono) both.insert(both.end(), {sample, 0.0F});
    test::write_float(folder_.path() / name, both, 2);
    test::write_float(folder_.path() / (std::string("mono-of-") + name), mono, 1);
  }
  const std::string rows = "M1.wav,both.wav,\nboth.wav,M1.wav,\nmono-of-long-both.wav,long-both.wav,\n";
  const auto summary = score_manifest(batch_of(rows + "F2.wav,F2.wav,\n"));
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(count_of(*summary, Outcome::bad_input), 3U);
  EXPECT_EQ(summary->scored, 1U);
  const std::string table = scores();
  std::size_t cures = 0;
  for (std::size_t at = 0; (at = table.find("both.wav: has several channels; make a mono file of", at)) < table.size();
       ++at)
    ++cures;
  EXPECT_EQ(cures, 3U) << table;
  EXPECT_THAT(table, Not(HasSubstr("choose one of them")));

  // The cure: mono files, and a new file of scores.
  fs::remove(folder_.path() / "scores.csv");
  const auto cured = score_manifest(batch_of("M1.wav,mono-of-both.wav,\nmono-of-both.wav,M1.wav,\nF2.wav,F2.wav,\n"));
  ASSERT_TRUE(cured) << cured.error().message;
  EXPECT_EQ(cured->scored, 3U);
}

TEST_F(ScoreManifestCall, AChannelThatOneFileDoesNotHaveIsTold) {
  BatchOptions options = batch_of("M1.wav,M1.wav,\n");
  options.degraded_channel = 2;
  ASSERT_TRUE(score_manifest(options));
  EXPECT_THAT(scores(), HasSubstr("M1.wav: has no channel 2, which was chosen for all rows; choose none"));
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
