// A score belongs to one scale, and so does a run.
#include <gtest/gtest.h>

#include "run/measurement_limits.h"
#include "run/run_json.h"
#include "vqas/run/provenance.h"

namespace vqas {
namespace {

Measurement scored(ScoreMode mode, double mos) {
  Measurement one;
  one.sequence = 1;
  one.outcome = Outcome::scored;
  one.mode = mode;
  one.mos_lqo = mos;
  one.auditory_distance = 0;
  return one;
}

TEST(Scale, AScoreIsReadBackWithItsScaleAndNarrowbandIsWrittenAsBefore) {
  Measurement wide = scored(ScoreMode::wideband, 4.62);
  wide.narrowband_mos_lqo = 4.5;
  const auto read = store::measurement_from_json(store::to_json(wide), "here");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->mode, ScoreMode::wideband);
  EXPECT_EQ(read->mos_lqo, 4.62);
  EXPECT_EQ(read->narrowband_mos_lqo, 4.5);
  EXPECT_FALSE(store::to_json(scored(ScoreMode::narrowband, 4)).contains("score_mode"));
}

TEST(Scale, EachScaleHasItsOwnEnd) {
  EXPECT_FALSE(impossible(scored(ScoreMode::wideband, 4.644)));
  EXPECT_TRUE(impossible(scored(ScoreMode::narrowband, 4.6)));
  EXPECT_TRUE(impossible(scored(ScoreMode::wideband, 4.7)));
  Measurement lone = scored(ScoreMode::narrowband, 4);
  lone.narrowband_mos_lqo = 4;
  EXPECT_TRUE(impossible(lone)) << "a second score in narrowband";
}

TEST(Scale, AScoreOfTheOtherScaleDoesNotBelongToARun) {
  EXPECT_FALSE(on_other_scale(scored(ScoreMode::wideband, 3), ScoreMode::wideband));
  EXPECT_TRUE(on_other_scale(scored(ScoreMode::wideband, 3), ScoreMode::narrowband));
  EXPECT_TRUE(on_other_scale(scored(ScoreMode::narrowband, 3), ScoreMode::wideband));
  Measurement unscored;
  EXPECT_FALSE(on_other_scale(unscored, ScoreMode::wideband));
}

TEST(Scale, ARunWhoseModeAndScoreVersionContradictEachOtherIsNotRead) {
  store::Json head{{"software_version", "1"},
                   {"score_version", "vqas-wb-2"},
                   {"seed", 1U},
                   {"line", {{"name", "sim:"}}},
                   {"sampling", store::to_json(SamplerOptions())},
                   {"model_error", store::model_error_to_json(current_provenance(ScoreMode::wideband))}};
  const auto read = [&head] {
    RunResults results;
    Provenance provenance;
    const Status status = store::head_from_json(head, "head", results, provenance);
    return status ? std::string(to_string(results.mode)) : status.error().message;
  };
  EXPECT_EQ(read(), "head has a score_mode that does not belong to its score_version");
  head["score_mode"] = "wb";
  EXPECT_EQ(read(), "wb");
  head["score_version"] = "vqas-nb-10";
  EXPECT_EQ(read(), "head has a score_mode that does not belong to its score_version");
}

}  // namespace
}  // namespace vqas
