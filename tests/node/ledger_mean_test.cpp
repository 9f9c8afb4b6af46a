// A run whose goal is the mean of each direction.
#include <gtest/gtest.h>

#include <cmath>

#include "node/controller/run_ledger.h"

namespace vqas {
namespace {

class LedgerOfTheMean : public ::testing::Test {
 protected:
  static RunPlan plan() {
    RunPlan plan;
    plan.b_to_a = false;
    plan.sampling.goal_of = GoalOf::mean;
    return plan;
  }
  static double score_of(const Planned& planned) {
    return 3 + 0.35 * std::sin(2.4 * planned.sequence) - (planned.stimulus == 0 ? 0.5 : 0);
  }
  // Measures up to `most` transmissions; returns their number.
  static std::size_t measure(RunLedger& ledger, std::size_t most) {
    std::size_t made = 0;
    while (ledger.round_complete() ? ledger.plan_next_round() : true) {
      while (!ledger.due(0).empty()) {
        if (made == most) return made;
        const Planned planned = ledger.due(0).front();
        ReceivedMeasurement one;
        one.stimulus = ledger.stimuli()[planned.stimulus];
        one.measurement.sequence = planned.sequence;
        one.measurement.outcome = Outcome::scored;
        one.measurement.mos_lqo = score_of(planned);
        one.measurement.recording = "at-the-receiver.flac";
        EXPECT_TRUE(ledger.received(0, one));
        ledger.left(0, {planned.sequence, 1'000'000'000, 0});
        ledger.fetched(0, planned.sequence, "recordings/x.flac");
        EXPECT_TRUE(ledger.settle_next());
        ++made;
      }
    }
    ledger.conclude();
    return made;
  }
  const std::vector<std::string> stimuli_{"M1", "F5", "M2"};
};

TEST_F(LedgerOfTheMean, EndsTogetherWithTheSameCountOfEachStimulus) {
  RunLedger ledger(plan(), stimuli_);
  const std::size_t made = measure(ledger, 1000);
  EXPECT_GT(made, 15U);
  EXPECT_LT(made, 90U) << "else the cap ended it";
  for (const StimulusRun& one : ledger.results().directions[0].stimuli) {
    EXPECT_EQ(one.stopped_because, StopReason::goal);
    EXPECT_NEAR(static_cast<double>(one.measurements.size()), static_cast<double>(made) / 3, 1);
  }
}

TEST_F(LedgerOfTheMean, ARunThatWasInterruptedAnywhereEndsAtTheSameCount) {
  RunLedger whole(plan(), stimuli_);
  const std::size_t all = measure(whole, 1000);
  for (const std::size_t at : {std::size_t{1}, std::size_t{7}, std::size_t{15}, std::size_t{16}, all - 1, all}) {
    RunLedger first(plan(), stimuli_);
    EXPECT_EQ(measure(first, at), at);
    RunContinuation earlier;
    earlier.so_far = first.results();
    first.describe(earlier.session);
    RunLedger again(plan(), stimuli_);
    again.restore(earlier);
    EXPECT_EQ(at + measure(again, 1000), all) << at;
    EXPECT_EQ(again.results().directions[0].stimuli[0].stopped_because, StopReason::goal);
  }
}

}  // namespace
}  // namespace vqas
