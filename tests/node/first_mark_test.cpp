// Silence before the first mark of a direction, and after it.
#include <gtest/gtest.h>

#include "node/controller/run_ledger.h"

namespace vqas {
namespace {

class FirstMark : public ::testing::Test {
 protected:
  FirstMark() : ledger_(plan(), {"M1"}) {
    ledger_.spare_lost(true);
    ledger_.plan_next_round();
  }
  static RunPlan plan() {
    RunPlan plan;
    plan.b_to_a = false;
    plan.sampling.first_count = plan.sampling.cap_count = 8;
    plan.sampling.max_failures = 3;
    return plan;
  }
  ReceivedMeasurement next() const {
    ReceivedMeasurement one;
    one.stimulus = "M1";
    one.measurement.sequence = ledger_.due(0).front().sequence;
    one.measurement.recording = "at-the-receiver.flac";
    return one;
  }
  ReceivedMeasurement silence() const {
    auto one = next();
    one.measurement.outcome = Outcome::line_lost;
    one.measurement.marks_found = MarksFound::none;
    one.measurement.reason = "only silence arrived when a transmission was due: the call is gone";
    one.heard = IdleInput();
    return one;
  }
  ReceivedMeasurement speech() const {
    auto one = next();
    one.measurement.outcome = Outcome::scored;
    one.measurement.mos_lqo = 4;
    one.measurement.marks_found = MarksFound::both;
    return one;
  }
  RunLedger::Place settle(const ReceivedMeasurement& one) {
    EXPECT_TRUE(ledger_.received(0, one));
    ledger_.left(0, {one.measurement.sequence, 1'000'000'000, 0});
    ledger_.fetched(0, one.measurement.sequence, "recordings/x.flac");
    const auto place = ledger_.settle_next();
    EXPECT_TRUE(place);
    return place.value_or(RunLedger::Place());
  }
  const StimulusRun& run() const { return ledger_.results().directions[0].stimuli[0]; }
  const Measurement& last() const { return run().measurements.back(); }

  RunLedger ledger_;
};

TEST_F(FirstMark, SilenceBeforeItIsNotFoundWithTheInputAsReason) {
  EXPECT_TRUE(settle(silence()).never_heard);
  EXPECT_EQ(last().outcome, Outcome::not_found);
  EXPECT_EQ(last().reason, "no mark of a has come to b yet: digital silence (every sample is the same)");
  EXPECT_EQ(last().call, 0U);
  EXPECT_FALSE(ledger_.ever_heard(0));
}

TEST_F(FirstMark, SilenceBeforeItCountsAgainstNoStimulus) {
  for (int n = 0; n < 5; ++n) settle(silence());  // more than the limit of failures
  settle(speech());
  ledger_.conclude();
  EXPECT_NE(run().stopped_because, StopReason::failures);
}

TEST_F(FirstMark, SilenceAfterItIsALostCall) {
  settle(silence());
  settle(speech());
  EXPECT_TRUE(ledger_.ever_heard(0));
  EXPECT_FALSE(settle(silence()).never_heard);
  EXPECT_EQ(last().outcome, Outcome::line_lost);
  EXPECT_EQ(last().call, 1U);
}

// Its node lists the same report again, and the call has been heard meanwhile.
TEST_F(FirstMark, SilenceBeforeItIsNotJudgedAgainInAContinuedRun) {
  const ReceivedMeasurement before = silence();
  settle(before);
  settle(speech());
  RunContinuation earlier{ledger_.results(), {}};
  earlier.session.due = {{{0, 1}, {0, 2}, {0, 3}}};
  RunLedger again(plan(), {"M1"});
  again.restore(earlier);
  EXPECT_FALSE(again.received(0, before)) << "it is in the results";
  ASSERT_EQ(again.due(0).size(), 1U);
  EXPECT_EQ(again.due(0).front().sequence, 3U);
}

TEST_F(FirstMark, AContinuedRunRemembersIt) {
  settle(silence());
  settle(speech());
  RunContinuation earlier{ledger_.results(), {}};
  RunLedger again(plan(), {"M1"});
  again.restore(earlier);
  EXPECT_TRUE(again.ever_heard(0));
}

}  // namespace
}  // namespace vqas
