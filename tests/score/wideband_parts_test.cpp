// What is wrong with a wideband recording, and what of its loss each impairment has.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "score/planted_faults.h"
#include "score/recipes.h"
#include "vqas/score/score.h"
#include "vqas/score/segments.h"
#include "vqas/score/unrecognised.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

class WidebandParts : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto read = read_audio(std::filesystem::path(test::source_dir()) / "corpus" / "16k" / (GetParam() + ".wav"));
    ASSERT_TRUE(read) << "corpus/16k/" << GetParam() << ".wav is missing";
    speech_ = *read;
  }
  Score diagnosed(const Signal& degraded) {
    Score score = scorer_.diagnose(speech_, degraded);
    EXPECT_EQ(score.outcome, Outcome::scored) << score.reason;
    return score;
  }
  static double loss_of(const Score& score) {
    return mos_from_auditory_distance(0, ScoreMode::wideband) - score.mos_lqo.value_or(0);
  }
  static double part_of(const Score& score, std::optional<Impairment> impairment) {
    for (const LossPart& part : score.loss_parts)
      if (part.impairment == impairment) return part.mos;
    return 0;
  }
  Signal narrowband() const { return *resample(*resample(speech_, 8000), speech_.rate_hz); }
  /// Noise that has nothing below 4 kHz.
  Signal with_hiss() const {
    Signal white = speech_;
    test::Random random(5);
    for (float& sample : white.samples) sample = static_cast<float>(0.01 * random.normal());
    const Signal low = *resample(*resample(white, 8000), white.rate_hz);
    Signal degraded = speech_;
    for (std::size_t n = 0; n < degraded.size(); ++n) degraded.samples[n] += white.samples[n] - low.samples[n];
    return degraded;
  }

  Signal speech_;
  Scorer scorer_{ScoreMode::wideband};
};

TEST_P(WidebandParts, AnIdenticalRecordingHasNoImpairmentAndNoParts) {
  const Score score = diagnosed(speech_);
  EXPECT_TRUE(score.impairments.empty());
  EXPECT_TRUE(score.loss_parts.empty());
}

TEST_P(WidebandParts, OneFaultIsNamedFirstAndHasMostOfTheLoss) {
  struct Case {
    std::string name;
    Impairment impairment;
    Signal degraded;
    double least_part = 0.8;
  };
  const std::vector<Case> cases{
      {"noise at -40 dB, below what a telephone circuit may have", Impairment::noise, test::with_noise(speech_, 40, 1),
       0.75},
      {"noise at -20 dB", Impairment::noise, test::with_noise(speech_, 20, 2)},
      {"noise above 4 kHz alone", Impairment::noise, with_hiss()},
      {"a telephone's band", Impairment::band_loss, narrowband()},
      {"clipped", Impairment::clipping, test::clipped(speech_, 0.3)},
      {"a fifth of a second muted", Impairment::loss, test::silenced(speech_, 0.45, 0.55)},
      {"40 ms put in", Impairment::delay_variation, test::with_jump(speech_, 0.5, 640)},
  };
  for (const Case& one : cases) {
    const Score score = diagnosed(one.degraded);
    const double loss = loss_of(score);
    ASSERT_GT(loss, 0.3) << one.name;
    ASSERT_FALSE(score.impairments.empty()) << one.name;
    EXPECT_EQ(score.impairments.front().impairment, one.impairment) << one.name;
    EXPECT_GE(part_of(score, one.impairment), one.least_part * loss) << one.name;
    EXPECT_GE(score.impairments.front().cost_mos.value_or(0), 0.75 * loss) << one.name;
    EXPECT_FALSE(unrecognised_cost(score)) << one.name;
  }
}

TEST_P(WidebandParts, OfTwoFaultsLittleIsLeftOver) {
  const std::vector<std::pair<Impairment, Signal>> lines{
      {Impairment::band_loss, test::with_noise(narrowband(), 25, 3)},
      {Impairment::loss, test::with_noise(test::silenced(speech_, 0.45, 0.55), 25, 4)},
      {Impairment::clipping, test::with_noise(test::clipped(speech_, 0.3), 25, 5)}};
  for (const auto& [impairment, line] : lines) {
    const std::set<Impairment> planted{impairment, Impairment::noise};
    const Score score = diagnosed(line);
    ASSERT_GE(score.impairments.size(), 2U);
    const std::set<Impairment> first_two{score.impairments[0].impairment, score.impairments[1].impairment};
    EXPECT_EQ(first_two, planted);
    EXPECT_LE(part_of(score, std::nullopt), 0.2 * loss_of(score));
  }
}

TEST_P(WidebandParts, PartsAddUpToTheLossOnTheWidebandScale) {
  for (const double db : {35.0, 15.0, 0.0}) {
    const Score score = diagnosed(test::with_noise(narrowband(), db, 6));
    double sum = 0;
    for (const LossPart& part : score.loss_parts) sum += part.mos;
    EXPECT_NEAR(sum, loss_of(score), 0.006) << db;
    for (const ImpairmentFinding& one : score.impairments) {
      ASSERT_TRUE(one.cost_mos);
      EXPECT_GE(*one.cost_mos, 0);
      EXPECT_LE(*one.cost_mos, loss_of(score) + 0.006);
    }
  }
}

TEST_P(WidebandParts, TheDearestComesFirstWhateverTheBand) {
  const auto first = [&](const Signal& line) { return diagnosed(line).impairments.at(0).impairment; };
  EXPECT_EQ(first(test::with_noise(narrowband(), 45, 7)), Impairment::band_loss);
  EXPECT_EQ(first(test::with_noise(narrowband(), 15, 7)), Impairment::noise);
}

TEST_P(WidebandParts, NamesAloneComeInTheSameOrder) {
  for (const Signal& line : {test::with_noise(narrowband(), 30, 8), with_hiss()}) {
    const Score with_costs = diagnosed(line);
    const Score names = scorer_.name_impairments(speech_, line);
    ASSERT_EQ(names.impairments.size(), with_costs.impairments.size());
    for (std::size_t k = 0; k < names.impairments.size(); ++k) {
      EXPECT_EQ(names.impairments[k].impairment, with_costs.impairments[k].impairment);
      EXPECT_FALSE(names.impairments[k].cost_mos);
    }
  }
}

TEST_P(WidebandParts, WhereNothingArrivedThatIsAllOfTheLoss) {
  Signal silence = speech_;
  silence.samples.assign(speech_.size() + 8000, 0.0F);
  const Score score = scorer_.diagnose(speech_, silence, KnownPlacement{4000});
  ASSERT_EQ(score.outcome, Outcome::scored) << score.reason;
  ASSERT_EQ(score.impairments.size(), 1U);
  EXPECT_EQ(score.impairments.front().impairment, Impairment::loss);
  EXPECT_NEAR(score.impairments.front().cost_mos.value_or(0), loss_of(score), 0.006);
  EXPECT_NEAR(part_of(score, Impairment::loss), loss_of(score), 0.006);
}

TEST_P(WidebandParts, OfALongRecordingWhatIsLostCostsMostWhateverLiesInItsPlace) {
  Signal talk;
  talk.rate_hz = speech_.rate_hz;
  while (talk.seconds() < 100) talk.samples.insert(talk.samples.end(), speech_.samples.begin(), speech_.samples.end());
  Signal line = talk;
  test::Random random(10);
  const std::size_t third = talk.size() / 3;
  for (std::size_t n = third; n < 2 * third; ++n) line.samples[n] = static_cast<float>(0.03 * random.normal());
  const auto score = score_in_segments(scorer_, as_long_recording(talk), as_long_recording(line), {.segment_s = 10});
  ASSERT_TRUE(score) << score.error().message;
  ASSERT_FALSE(score->overall.impairments.empty());
  EXPECT_EQ(score->overall.impairments.front().impairment, Impairment::loss);
  EXPECT_GE(score->overall.impairments.front().cost_mos.value_or(0), 0.7 * loss_of(score->overall));
}

TEST_P(WidebandParts, ABandThatEndsAtSixKilohertzIsNamedWhereItCosts) {
  const Score score = diagnosed(*resample(*resample(speech_, 12000), speech_.rate_hz));
  if (loss_of(score) < 0.3) return;
  ASSERT_FALSE(score.impairments.empty());
  EXPECT_EQ(score.impairments.front().impairment, Impairment::band_loss);
  EXPECT_GE(part_of(score, Impairment::band_loss), 0.8 * loss_of(score));
}

TEST_P(WidebandParts, WhatIsBelowTheBandIsNoise) {
  Signal rumble = speech_;
  for (std::size_t n = 0; n < rumble.size(); ++n)
    rumble.samples[n] +=
        static_cast<float>(0.02 * std::sin(2 * std::numbers::pi * 40 * static_cast<double>(n) / 16000));
  const Score score = diagnosed(rumble);
  EXPECT_LE(part_of(score, std::nullopt), 0.2 * loss_of(score) + 0.02);
}

TEST_P(WidebandParts, APolarityAndASmallClockChangeNothing) {
  const Signal noisy = test::with_noise(speech_, 25, 9);
  const double plain = part_of(diagnosed(noisy), Impairment::noise);
  EXPECT_NEAR(part_of(diagnosed(test::with_gain(noisy, -1)), Impairment::noise), plain, 0.05);
  EXPECT_NEAR(part_of(diagnosed(test::resampled_by_clock(noisy, 40, 20)), Impairment::noise), plain, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Corpus, WidebandParts, ::testing::Values("F1", "M1", "M5"),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace vqas
