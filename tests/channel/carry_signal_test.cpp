#include "vqas/channel/carry_signal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "channel/line_harness.h"
#include "channel/tone.h"
#include "support/random_errors.h"
#include "support/signals.h"

namespace vqas {
namespace {

LineConditions plain_without_delay() {
  auto conditions = test::plain_line();
  conditions.delay_s = 0;
  return conditions;
}

TEST(CarrySignal, PlainConditionsEqualCodecAndRandomErrorsSampleBySample) {
  const Signal sent = test::noise(0.5, 3.1, 1);
  auto conditions = plain_without_delay();
  conditions.ber = 1e-2;
  const auto carried = carry_signal(sent, conditions, 7);
  ASSERT_TRUE(carried);
  std::vector<std::uint8_t> codes(sent.size());
  Signal expected = sent;
  g711_encode(sent.samples, codes, conditions.law);
  BitErrorStream errors = test::random_errors(conditions.ber, 7);
  errors.process(codes);
  g711_decode(codes, expected.samples, conditions.law);
  EXPECT_EQ(carried->heard.samples, expected.samples);
  EXPECT_EQ(carried->bits, 8 * sent.size());
  EXPECT_EQ(carried->bit_errors, errors.counters().errors());
}

TEST(CarrySignal, WithTheBandLimitStaysAlignedAndAsLong) {
  const Signal sent = test::sine(1020, 0.5, 2);
  auto conditions = plain_without_delay();
  conditions.band_limit = true;
  const auto carried = carry_signal(sent, conditions, 1);
  ASSERT_TRUE(carried);
  ASSERT_EQ(carried->heard.size(), sent.size());
  const auto fit = test::fit_tone(std::span(carried->heard.samples).subspan(800, 8000), 1020);
  EXPECT_NEAR(fit.amplitude, 0.5, 0.003);
  EXPECT_NEAR(std::remainder(fit.phase, 2 * std::numbers::pi), 0, 0.002);  // 800 samples are 102 periods
}

TEST(CarrySignal, DelayPutsIdleLineInFront) {
  const Signal sent = test::noise(0.5, 0.5, 1);
  auto conditions = plain_without_delay();
  const auto prompt = carry_signal(sent, conditions, 1);
  conditions.delay_s = 0.125;
  const auto late = carry_signal(sent, conditions, 1);
  ASSERT_TRUE(prompt && late);
  ASSERT_EQ(late->heard.size(), sent.size() + 1000);
  EXPECT_TRUE(std::all_of(late->heard.samples.begin(), late->heard.samples.begin() + 1000,
                          [](float sample) { return sample == 0.0F; }));
  EXPECT_TRUE(
      std::equal(prompt->heard.samples.begin(), prompt->heard.samples.end(), late->heard.samples.begin() + 1000));
}

TEST(CarrySignal, AFastSenderIsHeardInFewerSamples) {
  auto conditions = plain_without_delay();
  conditions.sender_clock_ppm = 1000;
  const auto carried = carry_signal(test::sine(1020, 0.5, 10), conditions, 1);
  ASSERT_TRUE(carried);
  EXPECT_EQ(carried->heard.size(), 79921U);  // 80000 / 1.001, rounded up
  EXPECT_GT(test::fit_tone(std::span(carried->heard.samples).subspan(800, 70000), 1020 * 1.001).snr_db, 35);
}

TEST(CarrySignal, RefusesWhatItCannotCarry) {
  const Signal sent = test::noise(0.1, 0.1, 1);
  EXPECT_FALSE(carry_signal(Signal{}, plain_without_delay(), 1));
  EXPECT_FALSE(carry_signal(test::noise(0.1, 0.1, 1, 16000), plain_without_delay(), 1));
  for (const double delay_s : {-0.1, 9.5, std::nan("")}) {
    auto conditions = plain_without_delay();
    conditions.delay_s = delay_s;
    const auto carried = carry_signal(sent, conditions, 1);
    ASSERT_FALSE(carried);
    EXPECT_THAT(carried.error().message, ::testing::HasSubstr("delay_s"));
  }
  auto conditions = plain_without_delay();
  conditions.ber = 0.6;
  EXPECT_FALSE(carry_signal(sent, conditions, 1));
}

}  // namespace
}  // namespace vqas
