// What a score lost has a name, or it is said that it has none; and what costs nothing is no cause.
#include "vqas/score/unrecognised.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "score/planted_faults.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

constexpr const char* kTalkers[] = {"F1", "F3", "F5", "M1", "M3", "M5"};
constexpr double kWorthASentence = 0.5;  // MOS
constexpr double kRounding = 0.01;       // MOS: of a part

Signal with_echo(const Signal& speech, double ms, double db) {
  Signal result = speech;
  const auto delay = static_cast<std::size_t>(ms * 8);
  const auto gain = static_cast<float>(std::pow(10, db / 20));
  for (std::size_t n = delay; n < speech.size(); ++n) result.samples[n] += gain * speech.samples[n - delay];
  return result;
}

bool names(const Score& score, std::optional<Impairment> impairment) {
  return std::any_of(score.impairments.begin(), score.impairments.end(),
                     [&](const ImpairmentFinding& one) { return one.impairment == impairment; });
}

double left_over(const Score& score) {
  return score.loss_parts.empty() || score.loss_parts.back().impairment ? 0 : score.loss_parts.back().mos;
}

TEST(Unrecognised, IsWhatTheNamedOnesAndTheNoiseLeaveOver) {
  Score score;
  score.mos_lqo = 2.35;
  score.indices = Indices{};
  score.impairments = {{Impairment::coding, 1, 0.0}};
  score.loss_parts = {{Impairment::noise, 0.6}, {Impairment::coding, 0.1}, {std::nullopt, 1.5}};
  ASSERT_TRUE(unrecognised_cost(score)) << "what is named does not explain it";
  EXPECT_NEAR(*unrecognised_cost(score), 1.5, 1e-9);
  score.impairments.clear();
  ASSERT_TRUE(unrecognised_cost(score));
  EXPECT_NEAR(*unrecognised_cost(score), 1.6, 1e-9);
  score.impairments = {{Impairment::coding, 1, 1.0}};
  score.loss_parts = {{Impairment::coding, 1.75}, {std::nullopt, 0.45}};
  EXPECT_FALSE(unrecognised_cost(score)) << "less than is worth a sentence";
}

TEST(Unrecognised, IsTheLossOfAnEchoThoughCodingIsNamed) {
  Scorer scorer;
  int told = 0;
  int named = 0;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double ms : {30.0, 60.0, 100.0, 200.0}) {
      for (const double db : {-6.0, -12.0, -20.0}) {
        const Score score = scorer.diagnose(speech, with_echo(speech, ms, db));
        if (left_over(score) < kWorthASentence + kRounding) continue;
        named += score.impairments.empty() ? 0 : 1;
        ++told;
        ASSERT_TRUE(unrecognised_cost(score)) << talker << " " << ms << " " << db;
        EXPECT_GE(*unrecognised_cost(score), left_over(score) - kRounding) << talker << " " << ms << " " << db;
      }
    }
  }
  EXPECT_GE(told, 60);
  EXPECT_GE(named, 55);
}

TEST(Unrecognised, ClockCostsNothingAndIsNamedAfterWhatCosts) {
  Scorer scorer;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double ppm : {120.0, 300.0}) {
      const Score alone = scorer.diagnose(speech, test::resampled_by_clock(speech, ppm, 500));
      ASSERT_TRUE(names(alone, Impairment::delay_variation)) << talker << " " << ppm;
      EXPECT_TRUE(alone.impairments.front().costs_nothing()) << talker << " " << ppm;
      const Score noisy = scorer.diagnose(speech, test::resampled_by_clock(test::with_noise(speech, 20, 3), ppm, 500));
      ASSERT_GE(noisy.impairments.size(), 2U) << talker << " " << ppm;
      EXPECT_EQ(noisy.impairments.front().impairment, Impairment::noise) << talker << " " << ppm;
      EXPECT_FALSE(noisy.impairments.front().costs_nothing()) << talker << " " << ppm;
    }
  }
}

}  // namespace
}  // namespace vqas
