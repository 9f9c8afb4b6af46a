#include "vqas/run/call_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vqas {
namespace {

// A run in which each call has two scores, at these levels.
RunResults with_levels(const std::vector<double>& levels_db) {
  StimulusRun stimulus;
  stimulus.stimulus = "M1";
  std::uint32_t sequence = 0;
  for (std::size_t call = 0; call < levels_db.size(); ++call) {
    for (int n = 0; n < 2; ++n) {
      Measurement one;
      one.sequence = ++sequence;
      one.outcome = Outcome::scored;
      one.mos_lqo = 4;
      one.level_difference_db = levels_db[call];
      one.call = static_cast<std::uint32_t>(call + 1);
      stimulus.measurements.push_back(one);
    }
  }
  RunResults results;
  results.directions.push_back({End::a, {stimulus}});
  return results;
}

TEST(CallLevels, SmallStepsFromCallToCallAddUp) {
  const RunResults results = with_levels({0, -2.5, -5, -7.5});
  const auto levels = call_levels(results.directions[0]);
  ASSERT_EQ(levels.size(), 4U);
  EXPECT_FALSE(level_change_in_words(levels[0]));
  EXPECT_FALSE(level_change_in_words(levels[1]));
  EXPECT_EQ(level_change_in_words(levels[2]), "5.0 dB lower than in the run's first call");
  EXPECT_EQ(level_change_in_words(levels[3]), "7.5 dB lower than in the run's first call");
  EXPECT_EQ(call_warnings(results).size(), 2U);
}

TEST(CallLevels, AStepIsReportedRelativeToTheCallBefore) {
  const auto levels = call_levels(with_levels({0, -10, 0}).directions[0]);
  EXPECT_EQ(level_change_in_words(levels[1]), "10.0 dB lower than in the call before it");
  EXPECT_EQ(level_change_in_words(levels[2]), "10.0 dB higher than in the call before it");
}

}  // namespace
}  // namespace vqas
