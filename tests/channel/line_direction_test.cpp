// The path as a whole: its effect on a signal is that of its conditions and nothing else.
#include "vqas/channel/line_direction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "channel/line_harness.h"
#include "channel/tone.h"
#include "support/random_errors.h"
#include "support/signals.h"

namespace vqas {
namespace {

using test::carry;
using test::delay_in_samples;
using test::fit_tone;
using test::plain_line;

std::vector<float> through_codec(std::span<const float> sent, const LineConditions& conditions, std::uint64_t seed,
                                 std::uint64_t stream) {
  std::vector<std::uint8_t> codes(sent.size());
  std::vector<float> decoded(sent.size());
  g711_encode(sent, codes, conditions.law);
  test::random_errors(conditions.ber, seed, stream).process(codes);
  g711_decode(codes, decoded, conditions.law);
  return decoded;
}

// The lag with the highest correlation of `heard` and `sent`.
std::size_t best_lag(std::span<const float> sent, std::span<const float> heard) {
  std::size_t best = 0;
  double most = 0;
  for (std::size_t lag = 0; lag + sent.size() <= heard.size(); ++lag) {
    double sum = 0;
    for (std::size_t n = 0; n < sent.size(); ++n) sum += static_cast<double>(sent[n]) * heard[lag + n];
    if (sum > most) {
      most = sum;
      best = lag;
    }
  }
  return best;
}

TEST(LineDirection, WithEverythingOffEqualsCodecAndRandomErrors) {
  const auto sent = test::noise(0.9, 2, 5).samples;
  for (const G711Law law : {G711Law::mu, G711Law::a}) {
    auto conditions = plain_line();
    conditions.law = law;
    conditions.ber = 1e-3;
    LineDirection line(conditions, 7, 3);
    const auto heard = carry(line, sent);
    const auto expected = through_codec(sent, conditions, 7, 3);
    ASSERT_EQ(heard.size(), sent.size());
    EXPECT_TRUE(std::equal(heard.begin() + static_cast<std::ptrdiff_t>(delay_in_samples(conditions)), heard.end(),
                           expected.begin()));
  }
}

// 1020 Hz at half of full scale, mu law: ratios measured elsewhere with independent programs. A few errors in sign bits
// make most of the noise, so single minutes scatter (by 0.3 dB at 1e-3); many are averaged.
TEST(LineDirection, BitErrorsCostAsMuchSignalToNoiseAsMeasuredElsewhere) {
  struct Point {
    double ber;
    double snr_db;
    double tolerance_db;
    std::uint64_t minutes;
  };
  const auto sent = test::sine(1020, 0.5, 60).samples;
  for (const Point point :
       {Point{0, 36.9, 0.1, 1}, Point{1e-4, 30.3, 0.4, 12}, Point{1e-3, 21.3, 0.15, 25}, Point{1e-2, 11.3, 0.05, 25}}) {
    double noise_to_signal = 0;
    for (std::uint64_t seed = 0; seed < point.minutes; ++seed) {
      auto conditions = plain_line();
      conditions.ber = point.ber;
      const auto heard = carry(conditions, sent, seed);
      noise_to_signal += std::pow(10, -fit_tone(std::span(heard).subspan(100), 1020).snr_db / 10);
    }
    const double snr_db = -10 * std::log10(noise_to_signal / static_cast<double>(point.minutes));
    EXPECT_NEAR(snr_db, point.snr_db, point.tolerance_db) << "ber " << point.ber;
  }
}

TEST(LineDirection, DelayIsExactToTheSample) {
  std::vector<float> sent = test::noise(0.5, 0.3, 6).samples;
  sent.resize(sent.size() + 16000);
  for (const bool band_limit : {false, true}) {
    for (const double delay_s : {0.0, 0.05, 0.25, 1.2345}) {
      for (const bool fresh_phase : {false, true}) {
        auto conditions = plain_line();
        conditions.band_limit = band_limit;
        conditions.fresh_phase = fresh_phase;
        conditions.delay_s = std::max(delay_s, shortest_delay_s(conditions));
        const auto heard = carry(conditions, sent);
        EXPECT_EQ(best_lag(std::span(sent).first(2400), heard), delay_in_samples(conditions))
            << delay_s << " s, band limit " << band_limit << ", phase " << fresh_phase;
      }
    }
  }
}

TEST(LineDirection, PullingAsMuchAsWasPushedNeverWaits) {
  LineConditions conditions;
  for (const double delay_s : {shortest_delay_s(conditions), 0.25}) {
    conditions.delay_s = delay_s;
    LineDirection line(conditions, 1, 0);
    const std::size_t spare =
        delay_in_samples(conditions) - delay_in_samples({.delay_s = shortest_delay_s(conditions)});
    EXPECT_EQ(line.available(), spare + 25);
    std::vector<float> block(160);
    for (int i = 0; i < 500; ++i) {
      line.push(std::vector<float>(160, 0.1F));
      ASSERT_EQ(line.available(), spare + 160);
      line.pull(block);
    }
  }
}

TEST(LineDirection, AppliesTheRequestedGain) {
  const auto sent = test::sine(1020, 0.1, 2).samples;
  for (const double gain_db : {-20.0, -6.0, 0.0, 12.0}) {
    auto conditions = plain_line();
    conditions.gain_db = gain_db;
    const auto heard = carry(conditions, sent);
    EXPECT_NEAR(20 * std::log10(fit_tone(std::span(heard).subspan(200), 1020).amplitude / 0.1), gain_db, 0.05);
  }
}

TEST(LineDirection, LoudSignalsAreClippedAndNothingBreaks) {
  auto conditions = plain_line();
  conditions.gain_db = 40;
  conditions.band_limit = true;
  conditions.delay_s = shortest_delay_s(conditions);
  auto sent = test::noise(1, 1, 4).samples;
  sent[100] = HUGE_VALF;
  sent[4000] = std::nanf("");
  for (const float sample : carry(conditions, sent)) {
    ASSERT_TRUE(std::isfinite(sample));
    ASSERT_LE(std::abs(sample), 1.0F);
  }
}

TEST(LineDirection, CountsBitsAndErrors) {
  LineConditions conditions;
  conditions.ber = 1e-3;
  LineDirection line(conditions, 21, 2);
  carry(line, test::noise(0.1, 60, 8).samples);
  EXPECT_EQ(line.bits(), 8 * (60 * 8000 - 25));
  const boost::math::binomial_distribution<> errors(static_cast<double>(line.bits()), conditions.ber);
  EXPECT_GE(static_cast<double>(line.bit_errors()), quantile(errors, 1e-6));
  EXPECT_LE(static_cast<double>(line.bit_errors()), quantile(complement(errors, 1e-6)));
}

TEST(LineDirection, DoesNotDependOnBlockSizes) {
  LineConditions conditions;
  conditions.ber = 1e-3;
  conditions.sender_clock_ppm = 80;
  conditions.receiver_clock_ppm = -50;
  std::vector<float> sent;
  for (std::uint64_t i = 0; i < 4; ++i) {
    const auto burst = test::noise(0.3, 0.4, i).samples;
    sent.insert(sent.end(), burst.begin(), burst.end());
    sent.resize(sent.size() + 1000);
  }
  LineDirection whole(conditions, 5, 1);
  const auto expected = carry(whole, sent, 160);
  EXPECT_EQ(whole.transmissions(), 5U);
  for (const std::size_t block : {std::size_t{1}, std::size_t{7}, std::size_t{333}, sent.size()}) {
    LineDirection line(conditions, 5, 1);
    EXPECT_EQ(carry(line, sent, block), expected) << "block of " << block;
  }
}

TEST(LineDirection, SeedAndStreamDecideEverything) {
  LineConditions conditions;
  conditions.ber = 1e-2;
  const auto sent = test::sine(1020, 0.3, 0.5).samples;
  const auto heard_with = [&](std::uint64_t seed, std::uint64_t stream) {
    LineDirection line(conditions, seed, stream);
    return carry(line, sent);
  };
  EXPECT_EQ(heard_with(1, 1), heard_with(1, 1));
  EXPECT_NE(heard_with(1, 1), heard_with(1, 2));
  EXPECT_NE(heard_with(1, 1), heard_with(2, 1));
}

TEST(LineDirection, DoesNotDependOnWhenItIsPulled) {
  LineConditions conditions;
  conditions.ber = 1e-3;
  const auto sent = test::noise(0.3, 30, 1).samples;
  LineDirection prompt(conditions, 5, 1);
  const auto expected = carry(prompt, sent);

  LineDirection in_step(conditions, 5, 1);
  std::vector<float> heard(sent.size());
  for (std::size_t start = 0; start < sent.size(); start += 160) {
    in_step.push(std::span(sent).subspan(start, 160));
    in_step.pull(std::span(heard).subspan(start, 160));
  }
  EXPECT_TRUE(std::equal(heard.begin(), heard.end(), expected.begin()));

  LineDirection late(conditions, 5, 1);
  const std::size_t all_at_once = late.room();
  ASSERT_LT(all_at_once, sent.size());
  late.push(std::span(sent).first(all_at_once));
  heard.resize(late.available());
  late.pull(heard);
  EXPECT_TRUE(std::equal(heard.begin(), heard.end(), expected.begin()));
}

TEST(LineDirection, ExcessPushedOrPulledIsCutOff) {
  const LineConditions conditions;
  LineDirection line(conditions, 1, 0);
  const std::size_t room = line.room();
  EXPECT_GE(room, 8U * 8000U);
  line.push(std::vector<float>(room + 100000, 0.1F));
  EXPECT_LE(line.available(), room + delay_in_samples(conditions));
  line.push(std::vector<float>(1000, 0.1F));
  std::vector<float> heard(line.available() + 500, 9.0F);
  line.pull(heard);
  EXPECT_EQ(line.available(), 0U);
  for (std::size_t n = heard.size() - 500; n < heard.size(); ++n) ASSERT_EQ(heard[n], 0.0F);
  EXPECT_GE(line.room(), room);
}

}  // namespace
}  // namespace vqas
