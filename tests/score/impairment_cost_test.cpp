// What is named, its order, its cost and the parts of the loss are one thing: what a score lost has the name of what
// made it, and nothing that costs nothing stands before that.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "score/planted_faults.h"
#include "vqas/score/score.h"
#include "vqas/score/unrecognised.h"

namespace vqas {
namespace {

constexpr const char* kTalkers[] = {"F1", "F2", "F3", "F4", "F5", "F6", "M1", "M2", "M3", "M4", "M5", "M6"};
constexpr double kLooked = 0.5;        // MOS: the loss from which a cause is looked for
constexpr double kCounts = 0.3;        // MOS: what a faint impairment that is named costs
constexpr double kMostly = 0.75;       // of the loss
constexpr double kOfASeam = 0.15;      // MOS: beside a step of the delay the score hears less,
constexpr double kUsualSeam = 0.2;     // and this much with all but one
constexpr double kPartOfASeam = 0.25;  // MOS: and the part of the loss that it has there

double loss_of(const Score& score) {
  return mos_from_auditory_distance(0) - score.mos_lqo.value_or(0);
}

std::string told(const Score& score) {
  std::string text = "loss " + std::to_string(loss_of(score)) + ":";
  for (const ImpairmentFinding& finding : score.impairments)
    text += " " + std::string(to_string(finding.impairment)) + " " + std::to_string(finding.cost_mos.value_or(-1));
  return text;
}

double part_of(const Score& score, Impairment impairment) {
  const auto part = std::find_if(score.loss_parts.begin(), score.loss_parts.end(),
                                 [&](const LossPart& one) { return one.impairment == impairment; });
  return part == score.loss_parts.end() ? 0 : part->mos;
}

bool is_first(const Score& score, Impairment impairment) {
  return !score.impairments.empty() && score.impairments.front().impairment == impairment;
}

/// It costs what counts, and so much of the loss is its part.
void expect_first_at_its_cost(const Score& score, Impairment impairment, const std::string& which,
                              double least = kCounts, double least_part = kCounts) {
  ASSERT_TRUE(is_first(score, impairment)) << which << ", " << told(score);
  EXPECT_GE(score.impairments.front().cost_mos.value_or(0), least) << which << ", " << told(score);
  EXPECT_GE(part_of(score, impairment), least_part) << which << ", " << told(score);
}

TEST(ImpairmentCost, OfG711ThatCostsHalfAMosIsCodingAtThatCost) {
  Scorer scorer;
  int counted = 0;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const G711Law law : {G711Law::mu, G711Law::a}) {
      const Score score = scorer.diagnose(speech, test::over_g711(speech, law));
      if (loss_of(score) < kLooked) {
        EXPECT_TRUE(score.impairments.empty()) << talker << ", " << told(score);
        continue;
      }
      ++counted;
      expect_first_at_its_cost(score, Impairment::coding, talker);
      EXPECT_FALSE(unrecognised_cost(score)) << talker << ", " << told(score);
      EXPECT_GT(part_of(score, Impairment::coding), kMostly * loss_of(score)) << talker;
      EXPECT_EQ(score.impairments.size(), 1U) << talker << ", " << told(score);
    }
  }
  EXPECT_GE(counted, 10);
}

TEST(ImpairmentCost, OfG711BehindALowPassHasItsName) {
  Scorer scorer;
  int counted = 0;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double hz : {3100.0, 2700.0, 2000.0, 1500.0, 1000.0}) {
      const Signal line = test::over_g711(test::filtered(speech, hz, false), G711Law::mu);
      const Score score = scorer.diagnose(speech, line);
      const Score named = scorer.name_impairments(speech, line);
      ASSERT_EQ(named.impairments.size(), score.impairments.size()) << talker << " " << hz << ", " << told(score);
      if (part_of(score, Impairment::coding) < kLooked) continue;
      ++counted;
      EXPECT_TRUE(std::any_of(score.impairments.begin(), score.impairments.end(),
                              [](const ImpairmentFinding& one) { return one.impairment == Impairment::coding; }))
          << talker << " " << hz << ", part " << part_of(score, Impairment::coding) << "; " << told(score);
    }
  }
  EXPECT_GE(counted, 34);
}

TEST(ImpairmentCost, OfACutThatIsShorterThanItsLimitIsThatOfTheCut) {
  Scorer scorer;
  int counted = 0;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double ms : {30.0, 35.0, 60.0, 100.0, 200.0}) {
      const Score score = scorer.diagnose(speech, test::with_cut(speech, ms, true));
      if (part_of(score, Impairment::cut) < kCounts + 0.1 || loss_of(score) < kLooked) continue;
      ++counted;
      expect_first_at_its_cost(score, Impairment::cut, talker + " " + std::to_string(ms));
      EXPECT_FALSE(unrecognised_cost(score)) << talker << " " << ms << ", " << told(score);
    }
  }
  EXPECT_GE(counted, 38);
}

TEST(ImpairmentCost, OfSpeechTakenOutIsThatOfTheDelayThatStepsOverIt) {
  Scorer scorer;
  int counted = 0;
  int mostly = 0;
  int unexplained = 0;
  int fainter = 0;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    const auto [first, last] = test::speech_span(speech);
    for (const int ms : {20, 40, 60, 80, 100}) {
      for (const int part : {3, 4, 5}) {
        Signal joined = speech;
        const auto at = joined.samples.begin() + first + (last - first) * part / 8;
        joined.samples.erase(at, at + 8 * ms);
        const Score score = scorer.diagnose(speech, joined);
        if (loss_of(score) < kLooked || !is_first(score, Impairment::delay_variation)) continue;
        ++counted;
        const std::string which = talker + " " + std::to_string(ms) + " " + std::to_string(part);
        expect_first_at_its_cost(score, Impairment::delay_variation, which, kOfASeam, kPartOfASeam);
        fainter += score.impairments.front().cost_mos < kUsualSeam ? 1 : 0;
        mostly += part_of(score, Impairment::delay_variation) > kMostly * loss_of(score) ? 1 : 0;
        unexplained += unrecognised_cost(score) ? 1 : 0;
      }
    }
  }
  EXPECT_GE(counted, 80);
  EXPECT_LE(fainter, 1);
  EXPECT_GE(mostly, 0.9 * counted) << mostly << " of " << counted;
  EXPECT_LE(unexplained, 0.05 * counted) << unexplained << " of " << counted;
}

TEST(ImpairmentCost, OfAFaintErrorThatComesWithSpeechHasItsNameBesideACut) {
  Scorer scorer;
  int counted = 0;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double db : {28.0, 32.0}) {
      const Score score = scorer.diagnose(speech, test::with_modulated_noise(test::with_cut(speech, 80, true), db, 5));
      ++counted;
      EXPECT_TRUE(std::any_of(
          score.impairments.begin(), score.impairments.end(),
          [](const ImpairmentFinding& one) { return one.impairment == Impairment::coding && one.cost_mos >= kCounts; }))
          << talker << " " << db << ", " << told(score);
    }
  }
  EXPECT_EQ(counted, 24);
}

TEST(ImpairmentCost, NoiseBesideTheSpeechTakesNothingOfWhatIsOnIt) {
  constexpr std::size_t kAround = 8192;
  Scorer scorer;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    const Signal reference = test::padded(speech, kAround, kAround);
    const Signal line = test::padded(test::with_modulated_noise(speech, 20, 5), kAround, kAround);
    Signal noisy = line;
    test::Random random(3);
    for (std::size_t n = 0; n < noisy.size(); ++n) {
      if (n < kAround || n >= noisy.size() - kAround) noisy.samples[n] += static_cast<float>(0.01 * random.normal());
    }
    const Score without = scorer.diagnose(reference, line), with = scorer.diagnose(reference, noisy);
    EXPECT_NEAR(part_of(with, Impairment::coding), part_of(without, Impairment::coding), 0.1)
        << talker << ", " << told(with);
    EXPECT_LT(with.indices->noise->cost_mos.value_or(9), 0.1) << talker << ", " << told(with);
  }
}

TEST(ImpairmentCost, OfNoiseIsTheSameWithSilenceAroundTheSpeech) {
  Scorer scorer;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    const Signal line = test::with_noise(speech, 25, 1);
    const double plain = part_of(scorer.diagnose(speech, line), Impairment::noise);
    for (const int around : {4096, 8192, 32768}) {  // whole frames, 0.5 to 4 s
      const Score score = scorer.diagnose(test::padded(speech, around, around), test::padded(line, around, around));
      EXPECT_TRUE(is_first(score, Impairment::noise)) << talker << " " << around << ", " << told(score);
      EXPECT_NEAR(part_of(score, Impairment::noise), plain, 0.25) << talker << " " << around << ", " << told(score);
    }
  }
}

TEST(Impairment, ListIsOrderedByWhatEachCosts) {
  Scorer scorer;
  const Signal speech = test::corpus_sentence("M2");
  const Signal line = test::with_losses(test::with_noise(test::filtered(speech, 2000, false), 15, 1), 0.1, 2);
  const Score score = scorer.diagnose(speech, line);
  ASSERT_GE(score.impairments.size(), 2U);
  for (std::size_t k = 0; k < score.impairments.size(); ++k) {
    EXPECT_GE(score.impairments[k].strength, 0.3);
    ASSERT_TRUE(score.impairments[k].cost_mos);
    EXPECT_LE(*score.impairments[k].cost_mos, 4.55 - *score.mos_lqo);
    if (k > 0) {
      EXPECT_LE(*score.impairments[k].cost_mos, *score.impairments[k - 1].cost_mos);
    }
  }
}

TEST(ImpairmentCost, OfWhatIsNamedFallsAndNoLargePartLacksAName) {
  Scorer scorer;
  for (const std::string talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const Signal& line :
         {test::with_cut(speech, 80, true), test::with_delay_changes(speech, 2, 60), test::with_losses(speech, 0.03, 3),
          test::with_modulated_noise(test::with_cut(speech, 60, false), 28, 5)}) {
      const Score score = scorer.diagnose(speech, line);
      EXPECT_TRUE(std::is_sorted(
          score.impairments.begin(), score.impairments.end(),
          [](const ImpairmentFinding& a, const ImpairmentFinding& b) { return a.cost_mos > b.cost_mos; }))
          << talker << ", " << told(score);
      for (const LossPart& part : score.loss_parts) {
        if (!part.impairment || part.mos < kLooked) continue;
        EXPECT_TRUE(std::any_of(score.impairments.begin(), score.impairments.end(),
                                [&](const ImpairmentFinding& one) { return one.impairment == part.impairment; }))
            << talker << ", " << to_string(*part.impairment) << " " << part.mos << " has no name; " << told(score);
      }
      const Score named = scorer.name_impairments(speech, line);
      ASSERT_EQ(named.impairments.size(), score.impairments.size()) << talker << ", " << told(score);
      for (std::size_t k = 0; k < named.impairments.size(); ++k)
        EXPECT_EQ(named.impairments[k].impairment, score.impairments[k].impairment) << talker << ", " << told(score);
    }
  }
}

}  // namespace
}  // namespace vqas
