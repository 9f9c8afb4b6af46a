#include "vqas/node/line_findings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

namespace vqas {
namespace {

constexpr std::size_t kBefore = kLineRateHz / 2;

// Three seconds of noise in syllables of 0.2 s, at -26 dBov while they last.
Signal speech() {
  std::mt19937 random(3);
  std::normal_distribution<float> noise(0, 0.05F);
  Signal signal;
  signal.samples.resize(3 * kLineRateHz);
  for (std::size_t n = 0; n < signal.size(); ++n) signal.samples[n] = n / 1600 % 4 == 3 ? 0.0F : noise(random);
  return signal;
}

// What a good line makes of it.
CheckedTransmission good(double guard_s) {
  CheckedTransmission one;
  one.guard_s = guard_s;
  one.reference = speech();
  std::mt19937 random(4);
  std::normal_distribution<float> noise(0, 0.0005F);  // -66 dBov
  one.recording.samples.resize(one.reference.size() + 2 * kBefore);
  for (float& sample : one.recording.samples) sample = noise(random);
  for (std::size_t n = 0; n < one.reference.size(); ++n) one.recording.samples[kBefore + n] += one.reference.samples[n];
  one.measurement.outcome = Outcome::scored;
  one.measurement.mos_lqo = 4.2;
  one.measurement.marks_found = "both";
  one.measurement.level_difference_db = 0;
  one.measurement.clock_drift_ppm = 3;
  one.measurement.delay_ms = 30;
  return one;
}

using Change = std::function<void(CheckedTransmission&)>;

std::vector<CheckedTransmission> both_guards(const Change& change) {
  std::vector<CheckedTransmission> checked;
  for (const double guard_s : {0.05, 0.05, 0.6, 0.6}) {
    checked.push_back(good(guard_s));
    change(checked.back());
  }
  return checked;
}

std::vector<std::string> failed(const std::vector<CheckedTransmission>& checked) {
  std::vector<std::string> names;
  for (const LineFinding& one : line_findings(checked)) {
    EXPECT_EQ(one.advice.empty(), one.pass) << one.name;
    if (!one.pass) names.push_back(one.name);
  }
  return names;
}

LineFinding finding(const std::vector<CheckedTransmission>& checked, const std::string& name) {
  const auto all = line_findings(checked);
  const auto found = std::ranges::find(all, name, &LineFinding::name);
  EXPECT_NE(found, all.end());
  return found == all.end() ? LineFinding() : *found;
}

Change hum(double dbov) {
  return [dbov](CheckedTransmission& one) {
    const double amplitude = std::sqrt(2.0) * std::pow(10, dbov / 20);
    for (std::size_t n = 0; n < one.recording.size(); ++n)
      one.recording.samples[n] +=
          static_cast<float>(amplitude * std::sin(2 * std::numbers::pi * 150 * static_cast<double>(n) / kLineRateHz));
  };
}

Change noise(double dbov) {
  return [dbov](CheckedTransmission& one) {
    std::mt19937 random(5);
    std::normal_distribution<float> more(0, static_cast<float>(std::pow(10, dbov / 20)));
    for (float& sample : one.recording.samples) sample += more(random);
  };
}

Change gain(double db) {
  return [db](CheckedTransmission& one) {
    for (float& sample : one.recording.samples) sample *= static_cast<float>(std::pow(10, db / 20));
    one.measurement.level_difference_db = db;
  };
}

// What a gate cuts off the beginning.
void cut_onset(CheckedTransmission& one) {
  std::fill_n(one.recording.samples.begin() + kBefore, 560, 0.0F);
}

void echo(CheckedTransmission& one, double loss_db) {
  one.measurement.echo_return_loss_db = loss_db;
  one.measurement.echo_delay_ms = 90;
}

TEST(LineFindings, EachFaultIsFoundAndNoOther) {
  struct Case {
    const char* what;
    Change change;
    std::vector<std::string> failed;
  };
  const std::vector<Case> cases{
      {"a good line", [](auto&) {}, {}},
      {"5 dB weaker", gain(-5), {}},
      {"9 dB weaker", gain(-9), {"level"}},
      {"9 dB stronger", gain(9), {"level"}},
      {"noise at -60 dBov", noise(-60), {}},
      {"noise at -45 dBov", noise(-45), {"noise"}},
      {"hum at -62 dBov", hum(-62), {}},
      {"hum at -52 dBov", hum(-52), {"hum"}},
      {"clipping", [](auto& one) { std::fill_n(one.recording.samples.begin() + 9000, 40, 1.0F); }, {"clipping"}},
      {"an echo 20 dB lower", [](auto& one) { echo(one, 20); }, {"echo return loss"}},
      {"an echo 50 dB lower", [](auto& one) { echo(one, 50); }, {}},
      {"clocks far apart", [](auto& one) { one.measurement.clock_drift_ppm = -300; }, {"clock drift"}},
      {"a mark lost", [](auto& one) { one.measurement.marks_found = "leading_only"; }, {"marks"}},
      {"gaps",
       [](auto& one) { std::fill_n(one.recording.samples.begin() + kBefore + 8000, 1200, 0.0F); },
       {"drop-outs"}},
      {"onsets suppressed always",
       [](auto& one) {
         for (std::size_t n = 0; n < 640; ++n) one.recording.samples[kBefore + n] *= 0.3F;
       },
       {"onsets"}},
  };
  for (const Case& one : cases) EXPECT_EQ(failed(both_guards(one.change)), one.failed) << one.what;
}

TEST(LineFindings, AGateThatOpensForTheMarkIsToldFromOneThatDoesNot) {
  const auto after_silence = both_guards([](auto& one) {
    if (one.guard_s > 0.5) cut_onset(one);
  });
  const auto always = both_guards(cut_onset);
  const auto after_mark = both_guards([](auto& one) {
    if (one.guard_s < 0.5) cut_onset(one);
  });
  EXPECT_NE(finding(after_silence, "onsets").advice.find("not after a mark"), std::string::npos);
  EXPECT_NE(finding(always, "onsets").advice.find("echo suppressor"), std::string::npos);
  EXPECT_NE(finding(after_mark, "onsets").advice.find("echo suppressor"), std::string::npos);
}

TEST(LineFindings, WhatCouldNotBeMeasuredIsNoFaultOfTheLine) {
  auto first_part = both_guards([](auto&) {});
  std::erase_if(first_part, [](const auto& one) { return one.guard_s > 0.5; });
  for (const char* name : {"noise", "hum", "onsets"}) {
    const LineFinding one = finding(first_part, name);
    EXPECT_FALSE(one.made()) << name;
    EXPECT_FALSE(one.pass) << name;
    EXPECT_NE(one.advice.find("long pause"), std::string::npos) << one.advice;
  }
  EXPECT_TRUE(finding(first_part, "level").pass);
  EXPECT_EQ(finding({}, "noise").advice, "not measured: no transmission came");
  EXPECT_FALSE(finding({}, "delay").made());
  EXPECT_TRUE(finding(first_part, "echo return loss").made()) << "none was heard";
}

}  // namespace
}  // namespace vqas
