#include "vqas/calls/calls_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "calls/sample_call.h"
#include "support/places.h"
#include "vqas/calls/calls_metrics.h"
#include "vqas/calls/calls_ramp.h"
#include "vqas/calls/calls_text.h"

namespace vqas {
namespace {

using test::failed_call;
using test::scored_call;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

CallsPlan limited(double mos) {
  CallsPlan plan;
  plan.limit_mos = mos;
  return plan;
}

TEST(CallsSummary, TheMeanTakesTheCallAsTheUnit) {
  std::vector<CallOutcome> calls{scored_call(1, 4), scored_call(2, 3), scored_call(3, 3.5)};
  // Ten sentences in one call are one call.
  calls[0].sentences.resize(10, calls[0].sentences[0]);
  const CallsSummary summary = summarise(calls, limited(3.4));
  ASSERT_TRUE(summary.mos);
  EXPECT_NEAR(summary.mos->mean, 3.5, 1e-9);
  EXPECT_NEAR(summary.mos->half_width, 4.302653 * 0.5 / std::sqrt(3.0), 1e-5);
  EXPECT_EQ(summary.mos->n, 3U);
  EXPECT_NEAR(*summary.below_percent, 33.333, 1e-3);
  EXPECT_EQ(summary.verdict, RunVerdict::undecided);
  ASSERT_TRUE(summary.answer_s);
  EXPECT_DOUBLE_EQ(summary.answer_s->median, 0.04);
  EXPECT_DOUBLE_EQ(summary.answer_s->p95, 0.06);
}

TEST(CallsSummary, FailedAndSpoiltCallsHaveNoScoreAndOnlyFailedOnesCount) {
  std::vector<CallOutcome> calls{scored_call(1, 4), scored_call(2, 4), failed_call(3, "busy"), scored_call(4, 1)};
  calls[3].result = CallResult::spoilt;
  const CallsSummary summary = summarise(calls, {});
  EXPECT_EQ(summary.mos->n, 2U);
  EXPECT_EQ(summary.worst_mos, 4);
  EXPECT_EQ(summary.spoilt, 1U);
  EXPECT_EQ(summary.ends.at("busy"), 1U);
  EXPECT_NEAR(summary.failed_percent, 100.0 / 3, 1e-9);
}

TEST(CallsSummary, WhatWasLeftOutOfTheMeanKeepsItFromPassing) {
  std::vector<CallOutcome> calls;
  for (std::uint32_t i = 1; i <= 50; ++i) calls.push_back(scored_call(i, 4.4));
  EXPECT_EQ(summarise(calls, limited(2)).verdict, RunVerdict::pass);
  EXPECT_EQ(summarise(calls, limited(4.9)).verdict, RunVerdict::fail);
  calls.push_back(failed_call(51, "busy"));
  CallsPlan plan = limited(2);
  EXPECT_EQ(summarise(calls, plan).verdict, RunVerdict::undecided);
  plan.limit_failed_percent = 5;
  EXPECT_EQ(summarise(calls, plan).verdict, RunVerdict::pass);
  plan.limit_failed_percent = 1;
  EXPECT_EQ(summarise(calls, plan).verdict, RunVerdict::fail);
  EXPECT_EQ(summarise({failed_call(1, "busy")}, {}).verdict, RunVerdict::not_measured);
}

TEST(CallsSummary, AScoreOfAnEchoIsNamedTheRoundTrip) {
  const auto rows = calls_rows(summarise({scored_call(1, 4)}, {}), {}, nullptr);
  std::string all;
  for (const auto& [what, figure] : rows) all += what + ": " + figure + "\n";
  EXPECT_THAT(all, HasSubstr("score of: round trip (both directions in series)"));
}

TEST(CallsSummary, SentencesThatDifferAreToldBesideTheMean) {
  std::vector<CallOutcome> calls{scored_call(1, 4), scored_call(2, 4.1), scored_call(3, 3.5)};
  calls[2].sentences[0].stimulus = "M1";
  const CallsSummary summary = summarise(calls, {});
  EXPECT_EQ(summary.by_sentence.at("F4").n, 2U);
  EXPECT_NEAR(summary.by_sentence.at("F4").mean, 4.05, 1e-9);
  std::string all;
  for (const auto& [what, figure] : calls_rows(summary, {}, nullptr)) all += what + ": " + figure + "\n";
  EXPECT_THAT(all, HasSubstr("by sentence, with counts: F4 4.05 (2), M1 3.50 (1)"));
  EXPECT_THAT(all, HasSubstr("calls without a score: 0.0 % of the 3 that count"));
}

TEST(CallsSummary, WhereNoCallWasAnsweredTheVerdictNamesTheCause) {
  CallsPlan plan;
  EXPECT_EQ(summarise({}, plan).verdict_reason, "no call was made");
  const std::vector<CallOutcome> calls{failed_call(1, "busy"), failed_call(2, "unreachable"), failed_call(3, "busy")};
  for (const FarEnd far_end : {FarEnd::listen, FarEnd::echo}) {
    plan.far_end = far_end;
    const CallsSummary summary = summarise(calls, plan);
    EXPECT_EQ(summary.verdict, RunVerdict::not_measured);
    EXPECT_EQ(summary.verdict_reason, "every call failed (busy 2, unreachable 1)");
  }
  plan.far_end = FarEnd::listen;
  plan.limit_failed_percent = 1;
  EXPECT_EQ(summarise(calls, plan).verdict_reason, "100.0 % of the calls failed, and the limit is 1 %");
}

TEST(CallsSummary, WhereEveryCallIsSpoiltNoShareIsStated) {
  std::vector<CallOutcome> calls{scored_call(1, 4)};
  calls[0].result = CallResult::spoilt;
  std::string all;
  for (const auto& [what, figure] : calls_rows(summarise(calls, {}), {}, nullptr)) all += what + ": " + figure + "\n";
  EXPECT_THAT(all, HasSubstr("calls without a score: not known"));
  EXPECT_THAT(all, HasSubstr("make fewer calls at a time"));
  EXPECT_THAT(all, HasSubstr("verdict: not measured: this machine spoilt every call"));
}

TEST(CallsSummary, TimesBelowTenMillisecondsAreNotToldAsZero) {
  std::vector<CallOutcome> calls{scored_call(1, 4)};
  calls[0].ring_s = 0.0003;
  std::string all;
  for (const auto& [what, figure] : calls_rows(summarise(calls, {}), {}, nullptr)) all += what + ": " + figure + "\n";
  EXPECT_THAT(all, HasSubstr("time to ring: median 0.3 ms"));
  calls[0].ring_s.reset();
  all.clear();
  for (const auto& [what, figure] : calls_rows(summarise(calls, {}), {}, nullptr)) all += what + ": " + figure + "\n";
  EXPECT_THAT(all, HasSubstr("time to ring: not known"));
}

TEST(CallsSummary, ACallIsComparedWithTheMeansOfItsSentencesInTheOtherCalls) {
  std::vector<CallOutcome> calls{scored_call(1, 4), scored_call(2, 4.2), scored_call(3, 3.5)};
  calls[2].sentences[0].stimulus = "M1";
  const auto levels = summarise(calls, {}).by_sentence;
  EXPECT_NEAR(*relative_mos(calls[0], levels), -0.2, 1e-9) << "the mean is of the other calls alone";
  EXPECT_FALSE(relative_mos(calls[2], levels)) << "no other call carried M1";
  EXPECT_NEAR(rank_mos(calls[2], levels), 3.5 - 4.1, 1e-9);
  EXPECT_NEAR(rank_mos(calls[0], levels), -0.2, 1e-9);
  EXPECT_EQ(rank_mos(calls[0], summarise({calls[0]}, {}).by_sentence), 0) << "there is no other call";
  EXPECT_FALSE(relative_mos(failed_call(4, "busy"), levels));
}

TEST(CallsSummary, CallsOfALineOfHdVoiceNameTheirScaleAndCountTheNarrowOnes) {
  CallsPlan plan = limited(3.5);
  plan.line = "sip:4711@127.0.0.1;dial=4712@127.0.0.1;codec=g722,pcmu;hd=yes";
  std::vector<CallOutcome> calls{scored_call(1, 4), scored_call(2, 2.9), failed_call(3, "busy")};
  for (CallOutcome& one : calls) one.mode = ScoreMode::wideband;
  calls[1].narrow = "PCMU carries the narrow band, so this is no call of HD voice";
  const CallsSummary summary = summarise(calls, plan);
  EXPECT_EQ(summary.mode, ScoreMode::wideband);
  EXPECT_EQ(summary.narrow, 1U);
  std::string all;
  for (const auto& [what, figure] : calls_rows(summary, plan, nullptr)) all += what + ": " + figure + "\n";
  EXPECT_THAT(all, HasSubstr("mean MOS-LQOW: 3.45"));
  EXPECT_THAT(all, HasSubstr("narrowband calls: 1 of 2 with audio: PCMU carries the narrow band"));
  const std::string figures = calls_metrics(summary, {}, plan);
  EXPECT_THAT(figures, HasSubstr(",score_mode=\"wb\"} 3.45\n"));
  std::ifstream file(std::string(test::source_dir()) + "/libvqas/doc/calls-figures.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(figures, HasSubstr("# TYPE vqas_calls_narrow_total"));
  EXPECT_THAT(page, HasSubstr("`vqas_calls_narrow_total`"));
}

TEST(CallsSummary, ScoresOfBothScalesStandSideBySideAndLimitsTakeTheLinesOwn) {
  CallsPlan plan = limited(3.5);
  plan.line = "sip:4711@127.0.0.1;dial=4712@127.0.0.1;codec=g722,pcmu;hd=yes";
  plan.narrowband_too = true;
  std::vector<CallOutcome> calls;
  for (std::uint32_t number = 1; number <= 50; ++number) {
    calls.push_back(scored_call(number, 2));
    calls.back().mode = ScoreMode::wideband;
    calls.back().sentences[0].narrowband_mos = 4.25;
  }
  calls[0].sentences[0].narrowband_mos.reset();
  const CallsSummary summary = summarise(calls, plan);
  EXPECT_DOUBLE_EQ(summary.mos->mean, 2);
  ASSERT_TRUE(summary.narrowband_mos);
  EXPECT_DOUBLE_EQ(summary.narrowband_mos->mean, 4.25);
  EXPECT_EQ(summary.narrowband_mos->n, 49U);
  EXPECT_EQ(summary.verdict, RunVerdict::fail) << "4.25 would pass";
  std::string all;
  for (const auto& [what, figure] : calls_rows(summary, plan, nullptr)) all += what + ": " + figure + "\n";
  EXPECT_THAT(all, HasSubstr("mean MOS-LQOW: 2.00 ± 0.00 (95 %, 50 calls), worst call 2.00\n"));
  EXPECT_THAT(all, HasSubstr("mean MOS-LQON: 4.25 ± 0.00 (95 %, 49 calls); the same calls in narrowband"));
  const std::string figures = calls_metrics(summary, {}, plan);
  EXPECT_THAT(figures, ContainsRegex("vqas_calls_mos_lqo\\{.*,score_mode=\"wb\"\\} (2|1\\.9999|2\\.0000)"));
  EXPECT_THAT(figures, ContainsRegex("vqas_calls_mos_lqo\\{.*,score_mode=\"nb\"\\} 4\\.2(5|49999)"));
}

TEST(CallsMetrics, EachFigureStandsInItsPageAndSpoilsNoLabel) {
  CallsPlan plan;
  plan.line = "sip:4711@127.0.0.1;dial=\"x\"";
  std::vector<CallOutcome> calls{scored_call(1, 4), scored_call(2, 4.2), failed_call(3, "no answer")};
  const std::string text = calls_metrics(summarise(calls, plan), {20, 1, 2, 3, 3, 9}, plan);
  const std::string label = R"({calls="sip:4711@127.0.0.1;dial=\"x\"")";
  EXPECT_THAT(text, HasSubstr("vqas_calls_total" + label + ",result=\"scored\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("vqas_calls_failed_total" + label + ",end=\"no answer\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("vqas_calls_now" + label + ",state=\"up\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("vqas_calls_mos_lqo" + label + "} 4.1\n"));
  std::ifstream file(std::string(test::source_dir()) + "/libvqas/doc/calls-figures.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("# TYPE ")) continue;
    const std::string name = line.substr(7, line.find(' ', 7) - 7);
    EXPECT_THAT(page, HasSubstr("`" + name + "`"));
  }
}

CallsPlan ramp(std::size_t from, std::size_t to) {
  CallsPlan plan = limited(3.5);
  plan.per_s = 10;
  plan.ramp_from = from;
  plan.ramp_to = to;
  return plan;
}

// The step's calls, with this score.
void take_step(CallsRamp& ramp, double mos) {
  const auto at_once = static_cast<std::uint32_t>(ramp.at_once());
  ramp.up(at_once, 0, 10);
  for (std::uint32_t i = 0; i < std::max<std::uint32_t>(10, at_once); ++i) ramp.ended(scored_call(i + 1, mos, at_once));
  ramp.up(at_once, 100, 10);
}

TEST(CallsRamp, ARisingLoadFindsTheLastStepThatHeldAndTheFirstThatDidNot) {
  CallsRamp rising(ramp(1, 200));
  for (int step = 0; step < 20 && !rising.done(); ++step) take_step(rising, rising.at_once() >= 100 ? 3 : 4);
  ASSERT_TRUE(rising.done());
  EXPECT_EQ(rising.found().held, 50U);
  EXPECT_EQ(rising.found().not_held, 100U);
  EXPECT_THAT(rising.found().in_words(), HasSubstr("held at 50 calls at a time, not at 100: the mean MOS is 3.00"));
}

TEST(CallsRamp, ALoadThatHoldsToTheEndSaysSo) {
  CallsRamp rising(ramp(3, 20));
  std::vector<std::size_t> steps;
  for (int step = 0; step < 20 && !rising.done(); ++step) {
    steps.push_back(rising.at_once());
    take_step(rising, 4);
  }
  EXPECT_THAT(steps, ::testing::ElementsAre(3, 5, 10, 20));
  EXPECT_EQ(rising.found().held, 20U);
  EXPECT_FALSE(rising.found().not_held);
}

TEST(CallsRamp, CallsThatAreRefusedAtOnceDoNotEndAStepBeforeTheOthersAreScored) {
  CallsRamp rising(ramp(20, 50));
  rising.up(12, 0, 10);
  for (std::uint32_t i = 1; i <= 20; ++i) rising.ended(failed_call(i, "busy", 20));
  rising.up(12, 5, 10);
  EXPECT_FALSE(rising.done());
  for (std::uint32_t i = 21; i <= 32; ++i) rising.ended(scored_call(i, 4, 20));
  rising.up(12, 13, 10);
  ASSERT_TRUE(rising.done());
  EXPECT_EQ(rising.found().not_held, 20U);
}

TEST(CallsRamp, ThisMachinesOwnLimitIsNotTheLines) {
  CallsRamp rising(ramp(5, 20));
  rising.up(5, 0, 10);
  for (std::uint32_t i = 1; i <= 10; ++i) {
    CallOutcome call = scored_call(i, 4, 5);
    call.result = CallResult::spoilt;
    call.lateness = {3, 12};
    rising.ended(call);
  }
  rising.up(5, 100, 10);
  ASSERT_TRUE(rising.done());
  EXPECT_TRUE(rising.found().by_this_machine);
  EXPECT_THAT(rising.found().in_words(), HasSubstr("this machine sent too late"));
  CallsRamp slow(ramp(50, 100));
  slow.up(1, 0, 10);
  slow.up(20, 100, 10);
  EXPECT_TRUE(slow.done());
  EXPECT_THAT(slow.found().in_words(), HasSubstr("never up"));
  CallsRamp steady(ramp(20, 50));
  steady.up(12, 0, 10);
  for (std::uint32_t i = 1; i <= 20; ++i) steady.ended(scored_call(i, 4, 20));
  steady.up(12, 20, 10);
  EXPECT_FALSE(steady.found().held) << "only 12 of 20 were up";
}

}  // namespace
}  // namespace vqas
