// A receiver's results for a signal other than the expected one.
#include <gmock/gmock.h>

#include "node/node_harness.h"
#include "support/signals.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

using test::Bench;
using test::WatchedRun;

class Substituted : public test::NodeTest {
 protected:
  // A run a to b in which end a sends `other` instead of `part`.
  std::vector<Measurement> run(Substitution::Part part, const Signal& other) {
    NodeOptions sender;
    sender.substitution = {part, other};
    Bench bench(test::varied_line(0, 7), folder_, sender);
    RunPlan plan = test::short_plan(bench, folder_ / "run", 5, {"M4"});
    plan.b_to_a = false;
    plan.sampling.max_failures = 2;
    plan.within_s = 5;
    WatchedRun done(plan);
    EXPECT_TRUE(done.finish());
    EXPECT_EQ(done.error, "");
    return done.all();
  }
  static Signal other_sentence() {
    auto signal = read_audio(test::corpus_folder() / "8k" / "F2.wav");
    EXPECT_TRUE(signal);
    return std::move(signal).value();
  }
};

TEST_F(Substituted, NoiseForTheWholeTransmissionIsNotScored) {
  const auto measured = run(Substitution::Part::all, test::noise(0.1, 60, 4));
  ASSERT_FALSE(measured.empty());
  for (const Measurement& m : measured) {
    EXPECT_EQ(m.outcome, Outcome::not_found);
    EXPECT_FALSE(m.mos_lqo);
    EXPECT_FALSE(m.reason.empty());
    EXPECT_EQ(m.marks_found, MarksFound::none);
    EXPECT_FALSE(m.delay_ms);
  }
}

TEST_F(Substituted, AnotherSentenceForTheWholeTransmissionIsNotScored) {
  for (const Measurement& m : run(Substitution::Part::all, other_sentence())) {
    EXPECT_EQ(m.outcome, Outcome::not_found);
    EXPECT_FALSE(m.mos_lqo);
  }
}

TEST_F(Substituted, NoiseBetweenGoodMarksScoresNearOne) {
  const auto measured = run(Substitution::Part::speech, test::noise(0.05, 10, 4));
  EXPECT_EQ(measured.size(), 5U);
  for (const Measurement& m : measured) {
    EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
    EXPECT_LT(m.mos_lqo.value_or(5), 1.6);
    EXPECT_EQ(m.marks_found, MarksFound::both);
  }
}

TEST_F(Substituted, AnotherSentenceBetweenGoodMarksScoresNearOne) {
  for (const Measurement& m : run(Substitution::Part::speech, other_sentence())) {
    EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
    EXPECT_LT(m.mos_lqo.value_or(5), 1.6);
  }
}

TEST_F(Substituted, SilenceBetweenGoodMarksScoresNearOne) {
  for (const Measurement& m : run(Substitution::Part::speech, Signal{std::vector<float>(8, 0.0F), kLineRateHz})) {
    EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
    EXPECT_LT(m.mos_lqo.value_or(5), 1.6);
  }
}

}  // namespace
}  // namespace vqas
