#include "vqas/calls/calls_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vqas {
namespace {

using ::testing::HasSubstr;

constexpr const char* kWhole = R"(
[calls]
name = "north \"7\" \u0007"
line = "sip:4711@127.0.0.1;dial=4712@127.0.0.1:5062"
far_end = "send"
at_once = 20
per_s = 2.5
total = 100
for_min = 30
ramp = "2..50"
[stimuli]
stimuli = ["M4", "F4"]
each = 3
[limits]
mos = 3.5
failed_percent = 2
confidence_percent = 99
late_ms = 5
[keep]
worst = 4
)";

TEST(CallsPlan, APlanIsReadAndWritten) {
  const auto plan = parse_calls_plan(kWhole, "plan.toml");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(validate(*plan));
  const auto again = parse_calls_plan(calls_plan_text(*plan), "again.toml");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(calls_plan_text(*again), calls_plan_text(*plan));
  EXPECT_EQ(again->name, "north \"7\" \a");
  EXPECT_EQ(again->far_end, FarEnd::send);
  EXPECT_EQ(again->for_s, 1800);
  EXPECT_EQ(again->ramp_to, 50U);
  EXPECT_EQ(again->stimuli.size(), 2U);
  EXPECT_EQ(again->limit_failed_percent, 2);
  EXPECT_NEAR(again->confidence, 0.99, 1e-12);
  EXPECT_EQ(again->worst, 4U);
}

TEST(CallsPlan, BothScalesNeedALineForHdVoiceAndAnEndThatScores) {
  constexpr const char* kBoth =
      "[calls]\nline = \"sip:4711@127.0.0.1;dial=4712@127.0.0.1;codec=g722;hd=yes\"\nmode = \"both\"\ntotal = 1\n";
  const auto plan = parse_calls_plan(kBoth, "plan.toml");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(validate(*plan));
  EXPECT_TRUE(parse_calls_plan(calls_plan_text(*plan), "again.toml")->narrowband_too);
  EXPECT_FALSE(parse_calls_plan(kWhole, "plan.toml")->narrowband_too);
  CallsPlan narrow = *plan;
  narrow.line = "sip:4711@127.0.0.1;dial=4712@127.0.0.1";
  EXPECT_THAT(validate(narrow).error().message, HasSubstr("give it hd=yes"));
  CallsPlan silent = *plan;
  silent.far_end = FarEnd::listen;
  EXPECT_THAT(validate(silent).error().message, HasSubstr("the mode \"both\" belongs there"));
  EXPECT_THAT(parse_calls_plan("[calls]\nmode = \"wb\"\n", "p.toml").error().message,
              HasSubstr("p.toml:2: calls.mode is not one of \"both\""));
}

TEST(CallsPlan, AFaultIsNamedWithItsLine) {
  const auto refused = [](const std::string& text) { return parse_calls_plan(text, "p.toml").error().message; };
  EXPECT_THAT(refused("[calls]\nat_onc = 3\n"), HasSubstr("p.toml:2: \"at_onc\" is not a key of [calls]"));
  EXPECT_THAT(refused("[calls]\nfar_end = \"echoes\"\n"), HasSubstr("p.toml:2: calls.far_end is not one of"));
  EXPECT_THAT(refused("[calls]\nramp = \"9..3\"\n"), HasSubstr("two numbers of calls"));
  EXPECT_THAT(refused("[limits]\nmos = 3\n"), HasSubstr("[calls] is missing"));
}

TEST(CallsPlan, WhatIsOutOfRangeOrWithoutAnEndIsRefused) {
  const CallsPlan good = *parse_calls_plan(kWhole, "plan.toml");
  const auto refused = [&good](const auto& spoil) {
    CallsPlan plan = good;
    spoil(plan);
    const Status valid = validate(plan);
    return valid ? std::string() : valid.error().message;
  };
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.line = "sip:4711@127.0.0.1"; }), HasSubstr("needs dial="));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.total = plan.ramp_to = 0, plan.for_s = 0; }), HasSubstr("no end"));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.at_once = 0; }), HasSubstr("at_once"));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.at_once = kMostCallsAtOnce + 1; }), HasSubstr("at_once"));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.per_s = 0; }), HasSubstr("per_s"));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.each = 0; }), HasSubstr("each"));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.late_ms = 0; }), HasSubstr("late_ms"));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.limit_mos = 4.6; }), HasSubstr("MOS ends at 4.55"));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.limit_mos = 0.9; }), HasSubstr("mos"));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.far_end = FarEnd::listen; }), HasSubstr("far end has the scores"));
  EXPECT_THAT(refused([](CallsPlan& plan) { plan.limit_mos.reset(), plan.limit_failed_percent.reset(); }),
              HasSubstr("needs a limit"));
}

}  // namespace
}  // namespace vqas
