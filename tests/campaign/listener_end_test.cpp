// How a listening ends the run of its folder: complete or not, why, and its times.
#include "vqas/campaign/listener_end.h"

#include <gtest/gtest.h>

#include "support/sample_run.h"

namespace vqas {
namespace {

ListenResults heard(ListenEnd end) {
  ListenResults one;
  one.results = test::sample_run();
  one.results.ended_because.clear();
  one.results.line_seconds = 100;
  one.end = end;
  one.line_fault = "the line was closed";
  one.reached = 1;
  return one;
}

std::string why(ListenResults one) {
  ListenPlan plan;
  plan.silence_s = 30;
  conclude_listening(one, plan, "2026-11-23T10:00:00Z", 12);
  EXPECT_EQ(one.results.finished_utc, "2026-11-23T10:00:00Z");
  return one.results.ended_because;
}

TEST(ListenerEnd, ARunWithStimuliLeftIsNotComplete) {
  EXPECT_EQ(why(heard(ListenEnd::enough)), "");
  EXPECT_EQ(why(heard(ListenEnd::sender_finished)), "");
  EXPECT_EQ(why(heard(ListenEnd::silence)), "no mark came for 30 s");
  EXPECT_EQ(why(heard(ListenEnd::over)), "its time was over");
  EXPECT_EQ(why(heard(ListenEnd::cancelled)), "stopped by the user");
  EXPECT_EQ(why(heard(ListenEnd::line_lost)), "the line was closed");
}

TEST(ListenerEnd, ALineThatEndsAfterTheLastStimulusLeavesACompleteRun) {
  for (const ListenEnd end : {ListenEnd::line_lost, ListenEnd::silence, ListenEnd::cancelled}) {
    ListenResults one = heard(end);
    one.abandoned = 1;
    EXPECT_EQ(why(one), "");
  }
}

TEST(ListenerEnd, TheTimesOfEarlierListeningsAreAdded) {
  ListenResults one = heard(ListenEnd::enough);
  ListenPlan plan;
  conclude_listening(one, plan, "", 12);
  EXPECT_EQ(one.results.wall_seconds, 12);
  EXPECT_EQ(one.results.line_seconds, 100);
  plan.earlier = test::sample_run();
  plan.earlier->wall_seconds = 30;
  plan.earlier->line_seconds = 400;
  conclude_listening(one, plan, "", 12);
  EXPECT_EQ(one.results.wall_seconds, 42);
  EXPECT_EQ(one.results.line_seconds, 500);
}

}  // namespace
}  // namespace vqas
