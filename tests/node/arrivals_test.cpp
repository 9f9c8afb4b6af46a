// A line in real time that opens late: the first transmission is lost, and of the second only the trailing mark
// arrives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "node/node_harness.h"
#include "node/paced_line.h"
#include "node/play/outgoing.h"
#include "vqas/corpus/corpus.h"
#include "vqas/sync/mark.h"
#include "vqas/sync/transmission.h"

namespace vqas {
namespace {

constexpr double kDelay_ms = 100;  // PacedLine passes a block on after five.

using LateLine = test::NodeTest;

TEST_F(LateLine, TheFirstMarkThatArrivesIsGivenToItsOwnTransmission) {
  test::PacedLine line(20, {{{"machine", 0, 0}, {"machine", 0, 0}}});
  const auto corpus = Corpus::load(test::corpus_folder());
  ASSERT_TRUE(corpus);
  const auto layout = transmission_layout(corpus->recording("M4")->size(), {});
  const double behind_second_mark_s = static_cast<double>(layout.total + leading_mark_length()) / kLineRateHz;
  line.open_late(End::a, behind_second_mark_s + gap_for_guard(TransmissionOptions().guard_s));
  const auto nodes = start_nodes([&line](End own) { return line.open(own); });
  ASSERT_EQ(nodes.size(), 2U);
  RunPlan plan;
  plan.node_a = nodes[0]->address();
  plan.node_b = nodes[1]->address();
  plan.corpus = test::corpus_folder();
  plan.stimuli = {"M4"};
  plan.b_to_a = false;
  plan.sampling.first_count = plan.sampling.cap_count = 5;
  plan.within_s = 600;  // by a fast clock
  plan.folder = folder_ / "run";
  test::WatchedRun run(plan);
  ASSERT_TRUE(run.finish(120000));
  EXPECT_EQ(run.error, "");
  const auto all = run.all();
  ASSERT_GE(all.size(), 5U);
  EXPECT_EQ(all[0].sequence, 1U);
  EXPECT_EQ(all[0].outcome, Outcome::not_found);
  EXPECT_FALSE(all[0].delay_ms);
  EXPECT_EQ(all[1].sequence, 2U) << "it is in the results";
  EXPECT_EQ(all[1].marks_found, MarksFound::trailing_only);
  std::size_t scored = 0;
  for (const Measurement& one : all) {
    scored += one.mos_lqo ? 1 : 0;
    if (one.sequence == 1) continue;
    EXPECT_NEAR(one.delay_ms.value_or(0), kDelay_ms, 5) << one.sequence << ": " << one.reason;
  }
  EXPECT_EQ(scored, 5U);
}

}  // namespace
}  // namespace vqas
