// Behaviour that users meet whatever the line: every sentence, every rate, every bit error ratio, several threads.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <thread>
#include <vector>

#include "score/planted_faults.h"
#include "vqas/score/score.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

constexpr const char* kSentences[] = {"M1", "M2", "M3", "M4", "M5", "M6", "F1", "F2", "F3", "F4", "F5", "F6"};
constexpr int kRates[] = {8000, 16000, 44100, 48000};

Signal in_sixteen_bits(Signal signal, double gain_db) {
  for (float& sample : signal.samples) {
    sample = static_cast<float>(std::round(std::clamp(sample * std::pow(10, gain_db / 20), -1.0, 1.0) * 32767) / 32768);
  }
  return signal;
}

TEST(ScoreBehaviour, IdentityScoresTheMaximumForEverySentenceAndRate) {
  Scorer scorer;
  for (const char* id : kSentences) {
    for (const int rate : kRates) {
      const Signal speech = *resample(test::corpus_sentence(id), rate);
      const Score score = scorer.score(speech, speech);
      EXPECT_EQ(score.mos_lqo.value_or(0), 4.55) << id << " " << rate << " " << score.reason;
      EXPECT_EQ(score.auditory_distance.value_or(9), 0.0) << id << " " << rate;
      EXPECT_TRUE(score.impairments.empty()) << id << " " << rate;
    }
  }
}

TEST(ScoreBehaviour, TwentyDecibelsOfGainAfterNoiseIn16BitFilesChangeNothing) {
  Scorer scorer;
  for (const char* id : {"M2", "F3", "F6"}) {
    const Signal speech = test::corpus_sentence(id);
    // Headroom of 20 dB in either direction.
    const Signal line = test::with_gain(test::with_noise(speech, 20, 1), 0.3);
    const double plain = scorer.score(speech, in_sixteen_bits(line, 0)).mos_lqo.value_or(0);
    for (const double gain_db : {-20.0, -10.0, 6.0}) {
      EXPECT_NEAR(scorer.score(speech, in_sixteen_bits(line, gain_db)).mos_lqo.value_or(0), plain, 0.02)
          << id << " " << gain_db;
    }
  }
}

TEST(ScoreBehaviour, GainAloneIn16BitFilesCostsNothing) {
  Scorer scorer;
  for (const char* id : kSentences) {
    for (const int rate : {8000, 48000}) {
      const Signal speech = *resample(test::corpus_sentence(id), rate);
      const auto cost = [&](const Signal& reference, const Signal& line) {
        return 4.55 - scorer.score(reference, line).mos_lqo.value_or(0);
      };
      for (const double gain_db : {-6.0, -15.0, -20.0, -25.0}) {
        EXPECT_LT(cost(speech, in_sixteen_bits(speech, gain_db)), 0.001) << id << " " << rate << " " << gain_db;
      }
      const Signal soft = in_sixteen_bits(speech, -20);
      EXPECT_LT(cost(soft, in_sixteen_bits(soft, 20)), 0.001) << id << " " << rate;
      EXPECT_LT(cost(soft, speech), 0.001) << id << " " << rate << ": the reference was rounded";
      EXPECT_LT(cost(speech, test::padded(test::with_gain(soft, -1), 1234, rate)), 0.001) << id << " " << rate;
    }
  }
}

TEST(ScoreBehaviour, AQuiet16BitFileHidesNoNoise) {
  Scorer scorer;
  for (const char* id : {"M2", "F3", "F4"}) {
    const Signal speech = test::corpus_sentence(id);
    const auto score = [&](const Signal& line) { return scorer.score(speech, line).mos_lqo.value_or(0); };
    double before = 0;
    for (const double snr_db : {20.0, 30.0, 40.0, 50.0, 60.0}) {
      const Signal line = test::with_noise(speech, snr_db, 3);
      const double rounded = score(in_sixteen_bits(line, -20));
      EXPECT_LE(rounded, score(test::with_gain(line, 0.1)) + 0.02) << id << " " << snr_db;
      EXPECT_GE(rounded, before) << id << " " << snr_db;
      EXPECT_LT(rounded, 4.54) << id << " " << snr_db;
      before = rounded;
    }
    // After a mu-law line there is more than the rounding.
    const Signal line = test::over_mu_law(speech, 0, false, test::kNoCircuitNoise, 11);
    EXPECT_NEAR(score(in_sixteen_bits(line, -20)), score(in_sixteen_bits(line, 0)), 0.02) << id;
  }
}

TEST(ScoreBehaviour, TheSamplingRateChangesAScoreByLessThanATwentieth) {
  Scorer scorer;
  double square = 0;
  int count = 0;
  for (const char* id : {"M2", "M5", "F2", "F6"}) {
    const Signal speech = test::corpus_sentence(id);
    for (const Signal& line : {test::with_noise(speech, 20, 1), test::with_losses(speech, 0.05, 2),
                               test::with_bit_errors(speech, 3e-4, 3), test::filtered(speech, 2700, false)}) {
      const auto plain = scorer.score(speech, line).mos_lqo;
      ASSERT_TRUE(plain);
      for (const int rate : {16000, 44100, 48000}) {
        const auto other = scorer.score(*resample(speech, rate), *resample(line, rate)).mos_lqo;
        ASSERT_TRUE(other) << rate;
        square += (*other - *plain) * (*other - *plain);
        ++count;
      }
    }
  }
  EXPECT_LE(std::sqrt(square / count), 0.05);
}

// Without a placement, a rising bit error ratio gives first falling scores, then scores near 1, then no score; never a
// medium score, and never a score again after the speech is gone.
TEST(ScoreBehaviour, BitErrorsUpToThreeInTenGiveThreeRegimes) {
  Scorer scorer;
  for (const char* id : {"M4", "F1", "F5"}) {
    const Signal speech = test::corpus_sentence(id);
    double before = 4.55;
    int good = 0;
    int bad = 0;
    int refused = 0;
    for (const double ber : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 3e-2, 1e-1, 2e-1, 3e-1}) {
      const Signal line = test::over_mu_law(speech, ber, false, test::kNoCircuitNoise, 11);
      const Score score = scorer.score(speech, line);
      if (score.mos_lqo) {
        EXPECT_EQ(refused, 0) << id << " " << ber << ": a score after a refusal";
        EXPECT_LE(*score.mos_lqo, before + 0.05) << id << " " << ber;
        before = *score.mos_lqo;
        ++(before > 2 ? good : bad);
      } else {
        EXPECT_EQ(score.outcome, Outcome::not_aligned) << score.reason;
        EXPECT_FALSE(score.reason.empty());
        ++refused;
      }
      // With a known position the same speech always has a score, and it is bad.
      const Score placed = scorer.score(speech, line, KnownPlacement{});
      ASSERT_TRUE(placed.mos_lqo) << id << " " << ber << " " << placed.reason;
      if (!score.mos_lqo) {
        EXPECT_LT(*placed.mos_lqo, 1.3) << id << " " << ber;
      }
    }
    EXPECT_GE(good, 2) << id;
    EXPECT_GE(bad, 2) << id;
    EXPECT_GE(refused, 1) << id;
  }
}

TEST(ScoreBehaviour, TwoScorersInTwoThreadsGiveTheScoresOfOne) {
  std::vector<std::pair<Signal, Signal>> pairs;
  for (const char* id : {"M1", "F2", "M5"}) {
    const Signal speech = test::corpus_sentence(id);
    pairs.emplace_back(speech, speech);
    pairs.emplace_back(speech, test::with_jump(test::with_noise(speech, 15, 1), 0.5, 300));
    pairs.emplace_back(speech, test::resampled_by_clock(speech, 500, 333));
  }
  const auto work = [&pairs](std::vector<std::optional<double>>& distances) {
    Scorer scorer;
    for (const auto& [reference, degraded] : pairs) {
      distances.push_back(scorer.score(reference, degraded).auditory_distance);
    }
  };
  std::vector<std::optional<double>> alone;
  std::vector<std::optional<double>> first;
  std::vector<std::optional<double>> second;
  work(alone);
  std::thread other([&] { work(second); });
  work(first);
  other.join();
  EXPECT_EQ(first, alone);
  EXPECT_EQ(second, alone);
}

}  // namespace
}  // namespace vqas
