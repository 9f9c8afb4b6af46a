// An end's input while no mark of the other one arrives.
#include "vqas/receive/idle_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "channel/circuit_noise.h"
#include "node/wire/idle_input_json.h"
#include "support/signals.h"

namespace vqas {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Kind = IdleInput::Kind;

Signal sine(double hz, double rms, double seconds = 4) {
  Signal signal;
  signal.samples.resize(static_cast<std::size_t>(seconds * kLineRateHz));
  for (std::size_t n = 0; n < signal.size(); ++n)
    signal.samples[n] = static_cast<float>(std::numbers::sqrt2 * rms *
                                           std::sin(2 * std::numbers::pi * hz * static_cast<double>(n) / kLineRateHz));
  return signal;
}

// test::noise() is uniform up to its level.
Signal noise_of(double rms, double seconds) {
  return test::noise(std::numbers::sqrt3 * rms, seconds, 1);
}

Signal constant(float value) {
  return Signal{std::vector<float>(4 * kLineRateHz, value), kLineRateHz};
}

TEST(IdleInput, EqualSamplesOfAnyValueAreDigitalSilence) {
  for (const float value : {0.0F, 8.0F / 32768}) {  // A-law codes silence as 8
    const IdleInput input = judge_idle_input(constant(value), false);
    EXPECT_EQ(input.kind, Kind::digital_silence);
    EXPECT_FALSE(input.level_dbov);
  }
}

TEST(IdleInput, ConverterNoiseIsQuietButNotDigitalSilence) {
  const IdleInput input = judge_idle_input(noise_of(3e-5, 4), false);
  EXPECT_EQ(input.kind, Kind::quiet);
  EXPECT_NEAR(input.level_dbov.value_or(0), -90.5, 0.3);
}

TEST(IdleInput, FlatNoiseHasItsPsophometricLevel) {
  const double rms = circuit_noise_rms(-40, G711Law::mu);
  const IdleInput input = judge_idle_input(noise_of(rms, 10), false);
  EXPECT_EQ(input.kind, Kind::noise);
  EXPECT_NEAR(input.level_dbm0p.value_or(0), -40, 0.3);
  EXPECT_NEAR(input.level_dbov.value_or(0), 20 * std::log10(rms), 0.2);
  EXPECT_THAT(in_words(input), AllOf(HasSubstr("dBov"), HasSubstr("-40."), HasSubstr("dBm0p")));
}

TEST(IdleInput, ThePsophometersWeightsAreThoseOfItsTable) {
  const auto weight_db = [](double hz) { return psophometric_dbov(sine(hz, 0.1)).value_or(0) + 20; };
  EXPECT_NEAR(weight_db(800), 0, 0.1);
  EXPECT_NEAR(weight_db(1000), 1, 0.1);
  EXPECT_NEAR(weight_db(300), -10.6, 0.4);
  EXPECT_NEAR(weight_db(2500), -4.2, 0.1);
  EXPECT_LT(weight_db(50), -50) << "mains hum is not heard by it";
}

TEST(IdleInput, ADialToneIsACallThatIsNotConnected) {
  const IdleInput input = judge_idle_input(sine(425, 0.05), false);
  EXPECT_EQ(input.kind, Kind::tone);
  EXPECT_THAT(what_to_look_at(input, "b", "a"), HasSubstr("not connected"));
}

TEST(IdleInput, APacketLineWithoutPacketsIsNoPackets) {
  EXPECT_EQ(judge_idle_input(constant(0), true).kind, Kind::no_packets);
}

TEST(IdleInput, EveryKindNamesTheEndToCheck) {
  for (const Kind kind : {Kind::no_packets, Kind::digital_silence, Kind::quiet, Kind::noise}) {
    IdleInput input;
    input.kind = kind;
    input.level_dbov = -50;
    EXPECT_THAT(in_words(MarkWait{.from = End::a, .heard = input}), HasSubstr("b hears nothing of a"));
  }
}

TEST(IdleInput, IsReadBackAndRefusedIfImpossible) {
  for (const Signal& heard : {constant(0), test::noise(0.01, 4, 1), sine(425, 0.05), test::noise(1e-4, 4, 1)}) {
    const IdleInput one = judge_idle_input(heard, false);
    const auto back = idle_input_from(idle_input_json(one));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->kind, one.kind);
    EXPECT_EQ(back->level_dbov, one.level_dbov);
    EXPECT_EQ(back->level_dbm0p, one.level_dbm0p);
    EXPECT_EQ(back->tone_hz, one.tone_hz);
  }
  using Json = nlohmann::ordered_json;
  for (const char* text :
       {"1", "{}", R"({"kind":"loud"})", R"({"kind":"noise"})", R"({"kind":"noise","level_dbov":"x"})",
        R"({"kind":"noise","level_dbov":1e9})", R"({"kind":"tone","level_dbov":-20,"tone_hz":-1})",
        R"({"kind":"no_packets","level_dbov":-20})"}) {
    EXPECT_FALSE(idle_input_from(Json::parse(text))) << text;
  }
}

}  // namespace
}  // namespace vqas
