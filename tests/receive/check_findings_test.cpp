#include "vqas/receive/check_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "support/normal.h"
#include "support/places.h"
#include "vqas/corpus/corpus.h"
#include "vqas/sync/transmission.h"

namespace vqas {
namespace {

constexpr std::size_t kBefore = kLineRateHz / 2;

// Three seconds of noise in syllables of 0.2 s, at -26 dBov within them.
Signal speech() {
  test::Normal noise(0.05, 3);
  Signal signal;
  signal.samples.resize(3 * kLineRateHz);
  for (std::size_t n = 0; n < signal.size(); ++n)
    signal.samples[n] = n / 1600 % 4 == 3 ? 0.0F : static_cast<float>(noise());
  return signal;
}

// The same after a good line.
CheckedTransmission good(double guard_s) {
  CheckedTransmission one;
  one.guard_s = guard_s;
  one.reference = speech();
  test::Normal noise(0.0003, 4);  // -70.5 dBov, -67.7 dBm0p
  one.recording.samples.resize(one.reference.size() + 2 * kBefore);
  for (float& sample : one.recording.samples) sample = static_cast<float>(noise());
  for (std::size_t n = 0; n < one.reference.size(); ++n) one.recording.samples[kBefore + n] += one.reference.samples[n];
  one.measurement.outcome = Outcome::scored;
  one.measurement.mos_lqo = 4.2;
  one.measurement.marks_found = MarksFound::both;
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
  for (const CheckFinding& one : check_findings(checked)) {
    EXPECT_EQ(one.advice.empty(), one.pass) << one.name;
    if (!one.pass) names.push_back(one.name);
  }
  return names;
}

CheckFinding finding(const std::vector<CheckedTransmission>& checked, const std::string& name) {
  const auto all = check_findings(checked);
  const auto found = std::ranges::find(all, name, &CheckFinding::name);
  EXPECT_NE(found, all.end());
  return found == all.end() ? CheckFinding() : *found;
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
    test::Normal more(std::pow(10, dbov / 20), 5);
    for (float& sample : one.recording.samples) sample += static_cast<float>(more());
  };
}

Change gain(double db) {
  return [db](CheckedTransmission& one) {
    for (float& sample : one.recording.samples) sample *= static_cast<float>(std::pow(10, db / 20));
    one.measurement.level_difference_db = db;
  };
}

Change packets(std::uint32_t lost, std::uint32_t late) {
  return [lost, late](CheckedTransmission& one) {
    one.measurement.line.emplace();
    one.measurement.line->packets = 200 - lost + late;
    one.measurement.line->packets_lost = lost;
    one.measurement.line->packets_late = late;
  };
}

// The part of the beginning that a gate cuts off.
void cut_onset(CheckedTransmission& one) {
  std::fill_n(one.recording.samples.begin() + kBefore, 560, 0.0F);
}

void echo(CheckedTransmission& one, double loss_db) {
  one.measurement.echo_return_loss_db = loss_db;
  one.measurement.echo_delay_ms = 90;
}

TEST(MeasurementFindings, TheUpperBandIsJudgedAtLinesOf16KhzAlone) {
  const auto with = [](std::optional<bool> lacks) {
    return both_guards([lacks](CheckedTransmission& one) { one.lacks_upper_band = lacks; });
  };
  EXPECT_TRUE(
      std::ranges::none_of(check_findings(with({})), [](const auto& one) { return one.name == "upper band lost"; }));
  EXPECT_THAT(failed(with(false)), ::testing::IsEmpty());
  EXPECT_THAT(failed(with(true)), ::testing::ElementsAre("upper band lost"));
  EXPECT_THAT(finding(with(true), "upper band lost").advice, ::testing::HasSubstr("nothing above 4000 Hz arrives"));
}

TEST(MeasurementFindings, TheUpperBandIsLostWhereMoreThanHalfOfTheScoredLackIt) {
  auto checked = both_guards([](CheckedTransmission& one) { one.lacks_upper_band = false; });
  checked[0].lacks_upper_band = checked[1].lacks_upper_band = true;
  EXPECT_THAT(failed(checked), ::testing::IsEmpty()) << "half of them";
  EXPECT_EQ(finding(checked, "upper band lost").value, 50);
  checked[2].lacks_upper_band = true;
  EXPECT_THAT(failed(checked), ::testing::ElementsAre("upper band lost"));
  for (CheckedTransmission& one : checked) one.measurement.mos_lqo.reset();
  EXPECT_TRUE(std::ranges::none_of(check_findings(checked), [](const auto& one) {
    return one.name == "upper band lost";
  })) << "without a score the place of the speech is in doubt";
}

TEST(MeasurementFindings, AClippedReferenceIsNoOverdrivenInput) {
  const auto checked = both_guards([](CheckedTransmission& one) { one.measurement.outcome = Outcome::clipped_input; });
  EXPECT_TRUE(finding(checked, "clipping").pass);
}

TEST(MeasurementFindings, EachFaultIsFoundAndNoOther) {
  struct Case {
    const char* what;
    Change change;
    std::vector<std::string> failed;
  };
  const std::vector<Case> cases{
      {"a good line", [](auto&) {}, {}},
      {"9 dB weaker", gain(-9), {}},
      {"11 dB weaker", gain(-11), {"level"}},
      {"5 dB stronger", gain(5), {}},
      {"9 dB stronger", gain(9), {"level"}},
      {"noise of -66 dBm0p", noise(-72.5), {}},
      {"noise of -64 dBm0p", noise(-68.5), {"noise"}},
      {"noise at -60 dBov", noise(-60), {"noise"}},
      {"noise at -45 dBov", noise(-45), {"noise"}},
      {"hum at -62 dBov", hum(-62), {}},
      {"hum at -52 dBov", hum(-52), {"hum"}},
      {"clipping", [](auto& one) { one.is_clipped = true; }, {"clipping"}},
      {"an echo 20 dB lower", [](auto& one) { echo(one, 20); }, {"echo return loss"}},
      {"an echo 50 dB lower", [](auto& one) { echo(one, 50); }, {}},
      {"clocks far apart", [](auto& one) { one.measurement.clock_drift_ppm = -300; }, {"clock drift"}},
      {"a mark lost", [](auto& one) { one.measurement.marks_found = MarksFound::leading_only; }, {"marks"}},
      {"gaps",
       [](auto& one) { std::fill_n(one.recording.samples.begin() + kBefore + 8000, 1200, 0.0F); },
       {"drop-outs"}},
      {"1 % of the packets lost", packets(2, 0), {}},
      {"1.5 % of the packets lost", packets(3, 0), {"packets"}},
      {"1.5 % of the packets late", packets(3, 3), {"packets"}},
      {"onsets suppressed always",
       [](auto& one) {
         for (std::size_t n = 0; n < 640; ++n) one.recording.samples[kBefore + n] *= 0.3F;
       },
       {"onsets"}},
  };
  for (const Case& one : cases) EXPECT_EQ(failed(both_guards(one.change)), one.failed) << one.what;
}

TEST(MeasurementFindings, AtAFarTooLowLevelWhatDependsOnItIsNotJudged) {
  const auto checked = both_guards([](CheckedTransmission& one) {
    gain(-35)(one);
    noise(-66)(one);  // as a codec's steps give it
  });
  EXPECT_EQ(failed(checked), (std::vector<std::string>{"level", "noise", "hum", "drop-outs", "onsets"}));
  EXPECT_EQ(finding(checked, "level").advice, "raise the sending level by 35 dB first, then check again");
  for (const char* const name : {"noise", "hum", "drop-outs", "onsets"}) {
    EXPECT_FALSE(finding(checked, name).made()) << name;
    EXPECT_NE(finding(checked, name).advice.find("cure the level first"), std::string::npos) << name;
  }
}

TEST(MeasurementFindings, PacketLossIsAShareOfThePacketsDue) {
  const auto lost = finding(both_guards(packets(10, 0)), "packets");
  ASSERT_TRUE(lost.value);
  EXPECT_NEAR(*lost.value, 5, 1e-9);
  EXPECT_NE(lost.advice.find("40 of 800 packets never arrived"), std::string::npos) << lost.advice;
  const auto late = finding(both_guards(packets(10, 10)), "packets");
  EXPECT_NEAR(late.value.value_or(0), 5, 1e-9);
  EXPECT_NE(late.advice.find("raise buffer_ms"), std::string::npos) << late.advice;
  const auto none = check_findings(both_guards([](auto&) {}));
  EXPECT_EQ(std::ranges::find(none, "packets", &CheckFinding::name), none.end()) << "a line without packets";
}

TEST(MeasurementFindings, AnEchoOfTheMarkInTheGuardIntervalIsNotNoise) {
  // The rest of it in the first half of the guard interval's 0.5 s, at -45 dBov.
  const auto echoed = both_guards([](auto& one) {
    for (std::size_t n = 0; n < kBefore / 2; ++n) one.recording.samples[n] += n % 2 == 0 ? 0.0056F : -0.0056F;
  });
  EXPECT_TRUE(finding(echoed, "noise").pass);
  EXPECT_NEAR(finding(echoed, "noise").value.value_or(0), -68.2, 1);  // the quietest of it
}

TEST(MeasurementFindings, NoiseThatIsHumIsReportedAsHum) {
  // Psophometric weighting reduces 150 Hz by 31 dB.
  const auto hummed = both_guards(hum(-30));
  EXPECT_EQ(finding(hummed, "noise").advice, "this is the hum");
  EXPECT_NE(finding(both_guards(noise(-45)), "noise").advice, "this is the hum");
}

TEST(MeasurementFindings, AGateThatOpensForTheMarkIsDistinguished) {
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

// A voice switch in the line: it blocks until the signal has been loud for `opens_s`, and passes until it has been
// quiet for `closes_s`.
void gate(std::vector<float>& line, double opens_s, double closes_s) {
  constexpr std::size_t kFrame = 80;
  const auto frames = [](double s) { return static_cast<int>(std::lround(s * kLineRateHz / kFrame)); };
  int loud = 0, quiet = frames(closes_s);
  for (std::size_t at = 0; at + kFrame <= line.size(); at += kFrame) {
    double power = 0;
    for (std::size_t n = at; n < at + kFrame; ++n) power += std::pow(line[n], 2.0);
    const bool sounds = std::sqrt(power / kFrame) > 0.003;
    const bool was_open = quiet < frames(closes_s);
    loud = sounds ? loud + 1 : 0;
    if (was_open || loud > frames(opens_s)) {
      quiet = sounds ? 0 : quiet + 1;
    } else {
      std::fill_n(line.begin() + static_cast<std::ptrdiff_t>(at), kFrame, 0.0F);
    }
  }
}

// Transmissions of two stimuli of the corpus over a slightly noisy line with such a switch, as in a line check.
std::vector<CheckedTransmission> gated(const std::function<void(std::vector<float>&)>& switched) {
  const auto corpus = Corpus::load(std::string(test::source_dir()) + "/corpus");
  EXPECT_TRUE(corpus);
  std::vector<CheckedTransmission> checked;
  test::Normal noise(0.0006, 6);  // -64 dBov: 10 dB above the stimuli's own
  for (const double guard_s : {0.05, 0.6}) {
    for (const char* const name : {"M4", "F4", "M4", "F4"}) {
      CheckedTransmission one = good(guard_s);
      one.reference = *corpus->recording(name);
      const Transmission sent = compose_transmission(one.reference, {}, {.guard_s = guard_s});
      std::vector<float> line(kBefore, 0.0F);
      line.insert(line.end(), sent.signal.samples.begin(), sent.signal.samples.end());
      line.resize(line.size() + kBefore, 0.0F);
      switched(line);
      for (float& sample : line) sample += static_cast<float>(noise());
      const auto begin = line.begin() + static_cast<std::ptrdiff_t>(sent.layout.speech_start);
      one.recording.samples.assign(begin, begin + static_cast<std::ptrdiff_t>(one.reference.size() + 2 * kBefore));
      checked.push_back(std::move(one));
    }
  }
  return checked;
}

TEST(MeasurementFindings, AVoiceSwitchIsFoundOnRealStimuliOnlyIfPresent) {
  const CheckFinding none = finding(gated([](auto&) {}), "onsets");
  EXPECT_TRUE(none.pass) << none.advice;
  EXPECT_NEAR(none.value.value_or(99), 0, 0.5) << "the noise in the pause before the speech is no onset";

  const CheckFinding held = finding(gated([](auto& line) { gate(line, 0.05, 0.5); }), "onsets");
  EXPECT_FALSE(held.pass) << held.value.value_or(0);
  EXPECT_NE(held.advice.find("not after a mark"), std::string::npos) << "the mark holds it open: " << held.advice;

  const CheckFinding quick = finding(gated([](auto& line) { gate(line, 0.05, 0.2); }), "onsets");
  EXPECT_FALSE(quick.pass) << quick.value.value_or(0);
  EXPECT_NE(quick.advice.find("echo suppressor"), std::string::npos) << "it closes in the pause: " << quick.advice;

  const CheckFinding slow = finding(gated([](auto& line) { gate(line, 0.05, 2); }), "onsets");
  EXPECT_TRUE(slow.pass) << "the mark holds it open over both guards, " << slow.value.value_or(0) << " dB";
}

// Levels on either side of the limit of audible hum.
TEST(MeasurementFindings, HumOfEitherMainsIsJudgedAtItsLimit) {
  // -50 dBm0 are -56.2 dBov.
  EXPECT_TRUE(finding(both_guards(hum(-57)), "hum").pass);
  EXPECT_FALSE(finding(both_guards(hum(-55)), "hum").pass);
  EXPECT_NEAR(finding(both_guards(hum(-54)), "hum").value.value_or(0), -47.8, 0.5);
}

TEST(MeasurementFindings, AMissingMeasurementIsNotALineFault) {
  auto first_part = both_guards([](auto&) {});
  std::erase_if(first_part, [](const auto& one) { return one.guard_s > 0.5; });
  for (const char* name : {"noise", "hum", "onsets"}) {
    const CheckFinding one = finding(first_part, name);
    EXPECT_FALSE(one.made()) << name;
    EXPECT_FALSE(one.pass) << name;
    EXPECT_NE(one.advice.find("long pause"), std::string::npos) << one.advice;
  }
  EXPECT_TRUE(finding(first_part, "level").pass);
  EXPECT_EQ(finding({}, "noise").advice, "not measured: no transmission arrived");
  EXPECT_FALSE(finding({}, "delay").made());
  EXPECT_TRUE(finding(first_part, "echo return loss").made()) << "none was heard";
}

TEST(MeasurementFindings, SpeechMovedByADelayIsNotADropOut) {
  const auto step = [](CheckedTransmission& one) {
    auto& samples = one.recording.samples;
    samples.insert(samples.begin() + kBefore, 1600, 0.0F);
    one.measurement.delay_step_ms = 200;
  };
  auto some = both_guards([](CheckedTransmission&) {});
  step(some[0]);
  step(some[1]);
  step(some[2]);
  auto others = some;
  others.push_back(good(0.05));
  EXPECT_EQ(finding(others, "drop-outs").value, 0);
  EXPECT_TRUE(finding(others, "onsets").pass);
  for (CheckedTransmission& one : some) one.measurement.delay_step_ms = 200;
  EXPECT_FALSE(finding(some, "drop-outs").value);
  EXPECT_NE(finding(some, "drop-outs").advice.find("the line's delay changed"), std::string::npos);
  EXPECT_NE(finding(some, "noise").advice.find("the line's delay changed"), std::string::npos);
}

// A node's recording when nothing of the sender arrives.
void silence(CheckedTransmission& one) {
  one.measurement = {};
  one.measurement.outcome = Outcome::not_found;
  one.measurement.marks_found = MarksFound::none;
  one.recording.samples.assign(15 * kLineRateHz, 0.0F);
}

TEST(MeasurementFindings, AnUnconnectedInputIsNotMeasured) {
  for (const double noise_rms : {0.0, 1e-4, 0.01}) {
    const auto dead = both_guards([noise_rms](CheckedTransmission& one) {
      silence(one);
      test::Normal noise(noise_rms, 9);
      for (float& sample : one.recording.samples) sample = noise_rms > 0 ? static_cast<float>(noise()) : 0.0F;
    });
    EXPECT_FALSE(is_joined(dead));
    for (const CheckFinding& one : check_findings(dead, {.sender_hears = false})) {
      EXPECT_FALSE(one.pass) << one.name;
      EXPECT_EQ(one.made(), one.name == "marks") << one.name << " at " << noise_rms;
      EXPECT_FALSE(one.advice.empty()) << one.name;
    }
  }
}

TEST(MeasurementFindings, WithoutMarksTheAdviceNamesTheEndAndItsInput) {
  const auto dead = both_guards(silence);
  const auto all = check_findings(dead, {.from = End::a});
  EXPECT_NE(all.front().advice.find("b hears nothing of a: digital silence"), std::string::npos) << all.front().advice;
  IdleInput none;
  none.kind = IdleInput::Kind::no_packets;
  const auto told = check_findings(dead, {.instead = none, .from = End::a});
  EXPECT_NE(told.front().advice.find("no packet arrived"), std::string::npos) << told.front().advice;
}

TEST(MeasurementFindings, WithoutInputAtTheSenderNoEchoIsMeasured) {
  const auto checked = both_guards([](auto&) {});
  for (const bool hears : {true, false}) {
    const auto all = check_findings(checked, {.sender_hears = hears});
    const auto echo = std::ranges::find(all, "echo return loss", &CheckFinding::name);
    ASSERT_NE(echo, all.end());
    EXPECT_EQ(echo->made(), hears);
  }
}

TEST(MeasurementFindings, PacketsOfAnotherSenderAreASeparateFinding) {
  const auto line = [](std::uint32_t of_others, std::uint32_t contradicting) {
    return both_guards([=](CheckedTransmission& one) {
      one.measurement.line.emplace();
      one.measurement.line->packets = 200 + of_others;
      one.measurement.line->packets_of_others = of_others;
      one.measurement.line->packets_contradicting = contradicting;
      one.measurement.line->packets_discarded = of_others + contradicting;
    });
  };
  EXPECT_TRUE(finding(line(0, 0), "other senders").pass);
  EXPECT_FALSE(finding(line(40, 0), "other senders").pass);
  EXPECT_EQ(finding(line(40, 0), "other senders").value, 160);
  EXPECT_TRUE(finding(line(40, 0), "packets").pass) << "no packet of the stream itself is missing";
  EXPECT_NE(finding(line(0, 3), "other senders").advice.find("nothing is scored"), std::string::npos);
}

}  // namespace
}  // namespace vqas
