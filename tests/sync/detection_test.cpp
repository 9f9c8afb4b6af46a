// Statistical contract of the marks on lines with faults; fully determined by the seeds below.
#include <gtest/gtest.h>

#include <boost/math/distributions/binomial.hpp>
#include <functional>

#include "streams.h"
#include "support/random_errors.h"
#include "vqas/channel/g711.h"

namespace vqas {
namespace {

using namespace test;
using Line = std::function<void(std::vector<float>&, std::uint64_t seed)>;

Line bit_errors(double ber, G711Law law = G711Law::mu) {
  return [=](std::vector<float>& stream, std::uint64_t seed) {
    std::vector<std::uint8_t> octets(stream.size());
    g711_encode(std::span<const float>(stream), octets, law);
    random_errors(ber, seed).process(octets);
    g711_decode(octets, std::span<float>(stream), law);
  };
}

/// Uniform noise at this distance below the marks.
Line noise_below_marks(double snr_db) {
  return [=](std::vector<float>& stream, std::uint64_t seed) {
    const double amplitude = 0.1 * std::sqrt(3.0) * std::pow(10, -snr_db / 20);
    const Signal added = noise(amplitude, static_cast<double>(stream.size()) / kLineRateHz, seed);
    for (std::size_t n = 0; n < stream.size(); ++n) stream[n] += added.samples[n];
  };
}

/// Frames of 20 ms replaced by the one before, 2 dB weaker.
Line concealed_losses(double share) {
  return [=](std::vector<float>& stream, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    for (std::size_t start = 160 + random() % 160; start + 160 <= stream.size(); start += 160) {
      if (std::ldexp(static_cast<double>(random() >> 11), -53) >= share) continue;
      for (std::size_t n = start; n < start + 160; ++n) stream[n] = 0.8F * stream[n - 160];
    }
  };
}

struct Tally {
  int trials = 0, found = 0, data = 0, extra = 0;
  double squared_error = 0, squared_drift = 0;
  double timing_rms() const { return std::sqrt(squared_error / (2.0 * found)); }
  double drift_rms() const { return std::sqrt(squared_drift / found); }
};

Tally run(const Line& line, int trials, std::uint64_t seed, double stimulus_s = 0.5) {
  std::mt19937_64 random(seed);
  Tally tally;
  for (; tally.trials < trials; ++tally.trials) {
    const MarkData data{End::a, static_cast<std::uint32_t>(random() & 0xFFFFFF), static_cast<std::uint8_t>(random()),
                        static_cast<std::uint16_t>(random()), static_cast<std::uint16_t>(random())};
    const Transmission t = compose_transmission(babble(stimulus_s, random()), data, {});
    std::vector<float> stream(2000 + random() % 2000, 0.0F);
    const auto start = static_cast<double>(stream.size());
    append(stream, t.signal.samples);
    append_silence(stream, 2400);
    add_idle_noise(stream, random());
    line(stream, random());
    const auto found = detect(stream, End::a, 1024);
    const FoundMark *leading = nullptr, *trailing = nullptr;
    for (const FoundMark& mark : found) {
      const double place =
          mark.kind == MarkKind::leading ? start : start + static_cast<double>(t.layout.trailing_start);
      if (std::abs(mark.position - place) > 100) {
        ++tally.extra;
      } else {
        (mark.kind == MarkKind::leading ? leading : trailing) = &mark;
      }
    }
    if (leading != nullptr && leading->data == data) ++tally.data;
    if (leading == nullptr || trailing == nullptr) continue;
    ++tally.found;
    const double leading_error = leading->position - start;
    const double trailing_error = trailing->position - start - static_cast<double>(t.layout.trailing_start);
    tally.squared_error += leading_error * leading_error + trailing_error * trailing_error;
    const double drift = 1e6 * (trailing_error - leading_error) / static_cast<double>(t.layout.trailing_start);
    tally.squared_drift += drift * drift;
  }
  return tally;
}

/// Lower bound of the detection rate with 95 % confidence (Clopper and Pearson).
double at_least(int hits, int trials) {
  return boost::math::binomial_distribution<>::find_lower_bound_on_p(trials, hits, 0.05);
}

void expect_sure(const Line& line, std::uint64_t seed) {
  const Tally tally = run(line, 300, seed);
  EXPECT_GE(at_least(tally.found, tally.trials), 0.99) << tally.found << " found of " << tally.trials;
  EXPECT_GE(at_least(tally.data, tally.trials), 0.99) << tally.data << " decoded of " << tally.trials;
  EXPECT_EQ(tally.extra, 0);
}

TEST(Detection, IsReliableAtABitErrorRatioOf1e2OnBothLaws) {
  expect_sure(bit_errors(1e-2), 101);
  expect_sure(bit_errors(1e-2, G711Law::a), 102);
}

TEST(Detection, IsReliableWhereBitErrorsAreLargerThanQuietMarks) {
  // At -20 dB a wrong bit makes a sample up to sixty times too large: the limiter's purpose.
  expect_sure(
      [](std::vector<float>& stream, std::uint64_t seed) {
        scale(stream, -20);
        bit_errors(1e-2)(stream, seed);
      },
      108);
}

TEST(Detection, IsReliableInNoise5DbBelowTheMarks) {
  expect_sure(noise_below_marks(5), 103);
}

TEST(Detection, IsReliableWithOneFrameInTwentyLost) {
  expect_sure(concealed_losses(0.05), 104);
}

TEST(Detection, FailsWhereItMust) {
  const Tally tally = run(noise_below_marks(-30), 20, 105);
  EXPECT_EQ(tally.found, 0);
  EXPECT_EQ(tally.data, 0);
}

TEST(Detection, TimesTheMarksWithinASampleAndTheClocksWithin5PpmAtABitErrorRatioOf1e3) {
  const Tally tally = run(bit_errors(1e-3), 100, 106, 6);
  ASSERT_EQ(tally.found, tally.trials);
  // Measured over 3,000: 0.015 samples and 0.4 ppm.
  EXPECT_LE(tally.timing_rms(), 0.05);
  EXPECT_LE(tally.drift_rms(), 1.0);
}

TEST(Detection, TimesTheClocksWithin2PpmOnACleanMuLawLine) {
  const Tally tally = run(bit_errors(0), 30, 107, 6);
  ASSERT_EQ(tally.found, tally.trials);
  EXPECT_LE(tally.timing_rms(), 0.01);
  EXPECT_LE(tally.drift_rms(), 0.2);
}

}  // namespace
}  // namespace vqas
