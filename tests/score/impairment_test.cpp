// The impairments reported for planted faults. Rules and constants were derived from other recordings; the bounds are
// those that VQAS guarantees, with an exact binomial bound where chance matters.
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cstdio>
#include <optional>

#include "score/planted_faults.h"
#include "vqas/score/score.h"
#include "vqas/score/unrecognised.h"

namespace vqas {
namespace {

constexpr const char* kTalkers[] = {"M2", "M4", "F1", "F6"};

/// Whether so few successes have a probability below 1 % at a rate of `promised`.
bool is_refuted(int successes, int of, double promised) {
  const boost::math::binomial_distribution<double> distribution(of, promised);
  return boost::math::cdf(distribution, successes) < 0.01;
}

/// Worth reporting: it costs 0.3 MOS, or an index shows it.
bool counts(const Score& score, Impairment impairment) {
  const bool index =
      impairment == Impairment::band_loss || impairment == Impairment::cut || impairment == Impairment::level;
  return score.mos_lqo && (index || *score.mos_lqo <= 4.25);
}

bool among_first_three(const Score& score, Impairment impairment) {
  const auto end =
      score.impairments.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(3, score.impairments.size()));
  return std::any_of(score.impairments.begin(), end,
                     [&](const ImpairmentFinding& found) { return found.impairment == impairment; });
}

/// Of a line without a fault nothing is reported, but where G.711 costs 0.4 MOS, as on some voices, that it is
/// coding.
bool is_clean(const Score& score) {
  if (score.impairments.empty()) return true;
  const double loss = mos_from_auditory_distance(0) - score.mos_lqo.value_or(0);
  const ImpairmentFinding& first = score.impairments.front();
  return score.impairments.size() == 1 && first.impairment == Impairment::coding && loss >= 0.4 &&
         first.cost_mos > 0.5 * loss;
}

std::string names(const Score& score) {
  std::string text;
  for (const ImpairmentFinding& finding : score.impairments) text += std::string(to_string(finding.impairment)) + " ";
  return text.empty() ? "none" : text;
}

TEST(Impairment, OfASinglePlantedFaultIsReportedFirst) {
  Scorer scorer;
  std::uint64_t seed = 5000;
  for (const auto& fault : test::planted_faults()) {
    int right = 0;
    int all = 0;
    std::string wrong;
    for (const char* talker : kTalkers) {
      const Signal speech = test::corpus_sentence(talker);
      for (const double strength : fault.strengths) {
        ++seed;
        const Score score = scorer.diagnose(speech, test::over_clean_line(fault.plant(speech, strength, seed), seed));
        if (!counts(score, fault.impairment)) continue;
        ++all;
        if (!score.impairments.empty() && score.impairments.front().impairment == fault.impairment) {
          ++right;
        } else {
          wrong += std::string(talker) + " " + std::to_string(strength) + ": " + names(score) + "; ";
        }
      }
    }
    EXPECT_GT(all, 4) << fault.name << " hardly costs anything";
    EXPECT_FALSE(is_refuted(right, all, 0.9)) << fault.name << ": " << right << " of " << all << "; " << wrong;
  }
}

TEST(Impairment, IsNotReportedForPermittedPropertiesOfALine) {
  Scorer scorer;
  std::uint64_t seed = 9000;
  for (const auto& line : test::clean_lines()) {
    for (const char* talker : kTalkers) {
      const Signal speech = test::corpus_sentence(talker);
      const Score score = scorer.diagnose(speech, line.carry(speech, ++seed));
      EXPECT_TRUE(score.mos_lqo) << line.name << " " << talker << ": " << score.reason;
      EXPECT_TRUE(is_clean(score)) << line.name << " " << talker << ": " << names(score);
    }
  }
}

TEST(Impairment, OfAShortCutIsReported) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    // The cut starts where 8 ms are loud, so that at least 60 ms of counted speech are missing.
    const auto [first, last] = test::speech_span(speech, 3.16e-2);
    Signal line = speech;
    std::fill(line.samples.begin(), line.samples.begin() + first + 640, 0.0F);
    const Score score = scorer.diagnose(speech, line);
    ASSERT_TRUE(score.indices) << talker;
    const double front_ms = score.indices->missing.front_ms;
    EXPECT_GE(front_ms, 40) << talker;
    EXPECT_LT(front_ms, 140) << talker << ": choose a shorter cut";
    EXPECT_TRUE(among_first_three(score, Impairment::cut)) << talker << " " << front_ms << ": " << names(score);
  }
}

TEST(Impairment, OfALargeClockDriftIncludesDelayVariation) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double ppm : {-300.0, 1000.0}) {
      const Score score = scorer.diagnose(speech, test::resampled_by_clock(speech, ppm, 500));
      EXPECT_TRUE(among_first_three(score, Impairment::delay_variation))
          << talker << " " << ppm << ": " << names(score);
    }
  }
}

TEST(Impairment, IsNotClippingWherePolarityOrSpeedVaries) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const Signal& line :
         {test::with_flip(speech), test::with_wow(speech, 0.002, 1), test::with_wow(speech, 0.005, 1)}) {
      const Score score = scorer.diagnose(speech, line);
      for (const ImpairmentFinding& finding : score.impairments)
        EXPECT_NE(finding.impairment, Impairment::clipping) << talker;
    }
  }
}

TEST(Impairment, IsNotReportedOnACleanLine) {
  Scorer scorer;
  int named = 0;
  int all = 0;
  std::string which;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (std::uint64_t seed = 7000; seed < 7016; ++seed) {
      const Score score = scorer.diagnose(speech, test::over_clean_line(speech, seed));
      ++all;
      if (is_clean(score)) continue;
      ++named;
      which += std::string(talker) + " " + std::to_string(seed) + ": " + names(score) + "; ";
    }
  }
  EXPECT_FALSE(is_refuted(all - named, all, 0.99)) << named << " of " << all << ": " << which;
}

TEST(Impairment, IsNotCodingWhereAPhraseIsDisplacedByAPartOfASample) {
  Scorer scorer;
  int named = 0;
  // Enough for the steps of mu-law to cost something.
  const auto quiet = [](const Signal& s) { return test::over_g711(test::with_gain(s, 0.25), G711Law::mu); };
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    // Three sentences, each with its own instants.
    Signal reference;
    Signal line;
    for (const double part : {0.0, 0.3, -0.25}) {
      const Signal sentence = test::padded(speech, 800, 3200);
      const Signal later = test::displaced(sentence, part);
      reference.samples.insert(reference.samples.end(), sentence.samples.begin(), sentence.samples.end());
      line.samples.insert(line.samples.end(), later.samples.begin(), later.samples.end());
    }
    line = quiet(line);
    const Score score = scorer.diagnose(reference, line);
    EXPECT_LT(score.mos_lqo.value_or(0), 4.3) << talker << ": too good for a search of impairments";
    // The steps alone may cost enough to be told.
    const Score in_place = scorer.diagnose(reference, quiet(reference));
    named += names(score) == names(in_place) ? 0 : 1;
    const Score coded = scorer.diagnose(reference, test::with_modulated_noise(line, 25, 7));
    EXPECT_TRUE(among_first_three(coded, Impairment::coding)) << talker << ": " << names(coded);
  }
  // The remainder of M2's steady pitch is 1 dB above the threshold for coding.
  EXPECT_LE(named, 1);
}

double loss_of(const Score& score) {
  return mos_from_auditory_distance(0) - *score.mos_lqo;
}

/// Of the loss; nothing stands for what is left over.
double share_of(const Score& score, std::optional<Impairment> impairment) {
  double mos = 0;
  for (const LossPart& part : score.loss_parts) mos += part.impairment == impairment ? part.mos : 0;
  return mos / loss_of(score);
}

constexpr double kWorthASentence = 0.2;  // MOS

TEST(LossParts, AddUpToTheLossTheLargestFirstAndTheRestLast) {
  Scorer scorer;
  std::uint64_t seed = 6000;
  for (const auto& fault : test::planted_faults()) {
    const Signal speech = test::corpus_sentence(kTalkers[++seed % 4]);
    const Score score =
        scorer.diagnose(speech, test::over_clean_line(fault.plant(speech, fault.strengths[1], seed), seed));
    ASSERT_TRUE(score.mos_lqo) << fault.name;
    double sum = 0;
    for (std::size_t k = 0; k < score.loss_parts.size(); ++k) {
      const LossPart& part = score.loss_parts[k];
      EXPECT_GT(part.mos, 0) << fault.name;
      EXPECT_TRUE(part.impairment || k + 1 == score.loss_parts.size()) << fault.name;
      if (part.impairment && k > 0) {
        EXPECT_LE(part.mos, score.loss_parts[k - 1].mos) << fault.name;
      }
      sum += part.mos;
    }
    EXPECT_NEAR(sum, loss_of(score), 0.006) << fault.name;
  }
  const Signal speech = test::corpus_sentence("M1");
  EXPECT_TRUE(scorer.diagnose(speech, speech).loss_parts.empty()) << "nothing is lost";
  EXPECT_TRUE(scorer.score(speech, test::with_noise(speech, 20, 1)).loss_parts.empty()) << "nothing was asked for";
}

// libvqas/doc/record/impairments.md has the figures of each kind, with those that do not reach this.
TEST(LossParts, OfASinglePlantedFaultAreMostlyItsOwn) {
  Scorer scorer;
  std::uint64_t seed = 5000;
  for (const auto& fault : test::planted_faults()) {
    double own = 0;
    int pairs = 0;
    for (const char* talker : kTalkers) {
      const Signal speech = test::corpus_sentence(talker);
      for (const double strength : fault.strengths) {
        const Score score = scorer.diagnose(speech, fault.plant(speech, strength, ++seed));
        if (!score.mos_lqo || loss_of(score) < kWorthASentence) continue;
        own += share_of(score, fault.impairment);
        ++pairs;
      }
    }
    std::printf("%s: %.2f of %d\n", fault.name.c_str(), own / pairs, pairs);
    const bool is_mixed = fault.name == "repeated 20 ms" || fault.name == "bit errors" ||
                          fault.name.starts_with("gain step") || fault.name == "delay changes";
    EXPECT_GT(own, (is_mixed ? 0.5 : 0.77) * pairs) << fault.name;
  }
}

TEST(LossParts, OfTwoPlantedFaultsLeaveLittleOver) {
  Scorer scorer;
  const auto faults = test::planted_faults();
  std::uint64_t seed = 9000;
  double left = 0;
  int little = 0;
  int pairs = 0;
  for (std::size_t a = 0; a < faults.size(); ++a) {
    for (std::size_t b = a + 1; b < faults.size(); ++b) {
      if (faults[a].impairment == faults[b].impairment) continue;
      ++seed;
      const Signal speech = test::corpus_sentence(kTalkers[seed % 4]);
      const bool swap = test::is_swapped(faults[a], faults[b]);
      const auto& one = faults[swap ? b : a];
      const auto& two = faults[swap ? a : b];
      const Score score =
          scorer.diagnose(speech, two.plant(one.plant(speech, one.strengths[1], seed), two.strengths[1], seed));
      if (!score.mos_lqo || loss_of(score) < kWorthASentence) continue;
      const double rest = share_of(score, std::nullopt);
      left += rest;
      little += rest <= 0.2 ? 1 : 0;
      ++pairs;
    }
  }
  std::printf("%.3f left over in the mean, at most 0.2 in %d of %d\n", left / pairs, little, pairs);
  EXPECT_LT(left, 0.2 * pairs);
  EXPECT_FALSE(is_refuted(little, pairs, 0.7)) << little << " of " << pairs;
}

TEST(Impairment, OfTwoFaultsAreBothAmongTheFirstThree) {
  Scorer scorer;
  const auto faults = test::planted_faults();
  int both = 0;
  int all = 0;
  std::uint64_t seed = 9000;
  for (std::size_t a = 0; a < faults.size(); ++a) {
    for (std::size_t b = a + 1; b < faults.size(); ++b) {
      if (faults[a].impairment == faults[b].impairment) continue;
      ++seed;
      const Signal speech = test::corpus_sentence(kTalkers[seed % 4]);
      const bool swap = test::is_swapped(faults[a], faults[b]);
      const auto& one = faults[swap ? b : a];
      const auto& two = faults[swap ? a : b];
      const Signal line = two.plant(one.plant(speech, one.strengths[1], seed), two.strengths[1], seed);
      const Score score = scorer.diagnose(speech, test::over_clean_line(line, seed));
      if (!score.mos_lqo) continue;
      ++all;
      both += among_first_three(score, one.impairment) && among_first_three(score, two.impairment) ? 1 : 0;
    }
  }
  EXPECT_GT(all, 80);
  EXPECT_FALSE(is_refuted(both, all, 0.7)) << both << " of " << all;
}

TEST(Impairment, OfABandWithAReplacedWaveformIsCodingAndNotBandLoss) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double from_hz : {1800.0, 2200.0}) {
      const Score score = scorer.diagnose(speech, test::with_replaced_band(speech, from_hz, 5));
      ASSERT_TRUE(score.indices) << talker;
      EXPECT_GT(score.indices->band_loss.high_hz, 3200) << talker << " " << from_hz;
      EXPECT_FALSE(among_first_three(score, Impairment::band_loss)) << talker << " " << from_hz << ": " << names(score);
      EXPECT_TRUE(from_hz > 2000 || among_first_three(score, Impairment::coding)) << talker << ": " << names(score);
    }
    // With a filter in addition the band loss is reported.
    const Signal narrow = test::filtered(test::with_replaced_band(speech, 1600, 6), 2300, false);
    const Score score = scorer.diagnose(speech, narrow);
    ASSERT_TRUE(score.indices) << talker;
    EXPECT_NEAR(score.indices->band_loss.high_hz, 2300, 250) << talker;
    EXPECT_TRUE(among_first_three(score, Impairment::band_loss)) << talker << ": " << names(score);
  }
}

TEST(Impairment, OfClicksAndHumIsNoise) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const Signal& line : {test::with_clicks(speech, 5, 15, 3), test::with_clicks(speech, 20, 5, 4),
                               test::with_hum(speech, 50, 11, 15), test::with_hum(speech, 60, 11, 20)}) {
      const Score score = scorer.diagnose(speech, line);
      ASSERT_FALSE(score.impairments.empty()) << talker;
      EXPECT_EQ(score.impairments.front().impairment, Impairment::noise) << talker << ": " << names(score);
    }
  }
}

TEST(Impairment, OfBitErrorsEverywhereIsCodingBeforeNoise) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double ber : {1e-2, 2e-2, 3e-2}) {
      const Score score = scorer.diagnose(speech, test::over_mu_law(speech, ber, false, test::kNoCircuitNoise, 11));
      ASSERT_FALSE(score.impairments.empty()) << talker << " " << ber;
      EXPECT_EQ(score.impairments.front().impairment, Impairment::coding)
          << talker << " " << ber << ": " << names(score);
    }
  }
}

TEST(Impairment, OfLossesAfterACoderIsLoss) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    const Signal line = test::with_modulated_noise(test::with_repeats(speech, 0.15, 8), 8, 9);
    const Score score = scorer.diagnose(speech, line);
    EXPECT_TRUE(among_first_three(score, Impairment::loss)) << talker << ": " << names(score);
    const Score coded = scorer.diagnose(speech, test::with_modulated_noise(speech, 8, 9));
    EXPECT_FALSE(among_first_three(coded, Impairment::loss)) << talker << ": " << names(coded);
  }
}

TEST(Impairment, OfAFaintFaultWithACostIsReportedFirst) {
  Scorer scorer;
  const struct {
    const char* name;
    Impairment impairment;
    std::function<Signal(const Signal&, std::uint64_t)> plant;
  } faults[] = {
      {"MNRU 25", Impairment::coding,
       [](const Signal& speech, auto seed) { return test::with_modulated_noise(speech, 25, seed); }},
      {"MNRU 30", Impairment::coding,
       [](const Signal& speech, auto seed) { return test::with_modulated_noise(speech, 30, seed); }},
      {"noise 37 dB", Impairment::noise,
       [](const Signal& speech, auto seed) { return test::with_noise(speech, 37, seed); }},
      {"noise 40 dB", Impairment::noise,
       [](const Signal& speech, auto seed) { return test::with_noise(speech, 40, seed); }},
      {"clipped at 0.4", Impairment::clipping, [](const Signal& speech, auto) { return test::clipped(speech, 0.4); }},
  };
  int right = 0;
  int all = 0;
  std::string wrong;
  for (const auto& fault : faults) {
    for (const char* talker : {"M1", "M2", "M4", "F1", "F3", "F6"}) {
      const Signal speech = test::corpus_sentence(talker);
      const Score score = scorer.diagnose(speech, fault.plant(speech, 77));
      if (!counts(score, fault.impairment)) continue;
      ++all;
      if (!score.impairments.empty() && score.impairments.front().impairment == fault.impairment) {
        ++right;
      } else {
        wrong += std::string(fault.name) + " " + talker + ": " + names(score) + "; ";
      }
    }
  }
  EXPECT_GT(all, 15);
  EXPECT_FALSE(is_refuted(right, all, 0.9)) << right << " of " << all << "; " << wrong;
}

TEST(Impairment, OfClippingIsNeitherBandLossNorLevel) {
  Scorer scorer;
  int narrow = 0;
  for (const char* talker : {"M1", "M2", "M4", "F1", "F3", "F6"}) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double share : {0.15, 0.25}) {
      const Score score = scorer.diagnose(speech, test::clipped(speech, share));
      ASSERT_TRUE(score.indices) << talker;
      const bool is_full = score.indices->band_loss.low_hz < 200 && score.indices->band_loss.high_hz > 3400;
      EXPECT_TRUE(is_full || share < 0.2) << talker << " " << share;
      narrow += is_full ? 0 : 1;
      EXPECT_LT(score.indices->level_track.range_db, share < 0.2 ? 5.5 : 3.5) << talker << " " << share;
      ASSERT_FALSE(score.impairments.empty()) << talker << " " << share;
      EXPECT_EQ(score.impairments.front().impairment, Impairment::clipping)
          << talker << " " << share << ": " << names(score);
      EXPECT_TRUE(!is_full || !among_first_three(score, Impairment::band_loss)) << talker << " " << share;
    }
  }
  EXPECT_LE(narrow, 1);
}

TEST(Impairment, OfSpeechRemovedFromALoudPlaceIsNotLevel) {
  Scorer scorer;
  for (const char* talker : {"M1", "M2", "M4", "F1", "F3", "F6"}) {
    const Signal speech = test::corpus_sentence(talker);
    // The loudest 60 ms of the middle half.
    const std::size_t length = 480;
    std::size_t loudest = 0;
    double most = -1;
    for (std::size_t at = speech.size() / 4; at + length < 3 * speech.size() / 4; at += 80) {
      double power = 0;
      for (std::size_t n = at; n < at + length; ++n)
        power += static_cast<double>(speech.samples[n]) * speech.samples[n];
      if (power <= most) continue;
      most = power;
      loudest = at;
    }
    Signal line = speech;
    const auto first = line.samples.begin() + static_cast<std::ptrdiff_t>(loudest);
    line.samples.erase(first, first + static_cast<std::ptrdiff_t>(length));
    const Score score = scorer.diagnose(speech, line);
    ASSERT_TRUE(score.indices) << talker;
    EXPECT_LT(score.indices->level_track.range_db, 3.5) << talker;
    ASSERT_FALSE(score.impairments.empty()) << talker;
    EXPECT_NE(score.impairments.front().impairment, Impairment::level) << talker << ": " << names(score);
  }
}

TEST(Impairment, FilterDoesNotMakeTheScoreAmbiguous) {
  Scorer scorer;
  for (const char* talker : {"M1", "M2", "M4", "F1", "F2", "F3", "F5", "F6"}) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double corner_hz : {500.0, 600.0, 800.0}) {
      const Signal line = test::high_passed(speech, corner_hz, 4);
      for (const Score& score : {scorer.score(speech, line), scorer.diagnose(speech, line)}) {
        ASSERT_TRUE(score.mos_lqo) << talker << " " << corner_hz;
        EXPECT_EQ(score.reason, "") << talker << " " << corner_hz;
      }
    }
  }
}

TEST(Impairment, UnrecognisedOneIsReportedByItsCost) {
  Score score;
  EXPECT_FALSE(unrecognised_cost(score));
  score.mos_lqo = 2.5;
  EXPECT_FALSE(unrecognised_cost(score)) << "nothing was diagnosed";
  score.indices = Indices{};
  ASSERT_TRUE(unrecognised_cost(score));
  EXPECT_NEAR(*unrecognised_cost(score), 2.05, 0.05);
  score.mos_lqo = 4.2;
  EXPECT_FALSE(unrecognised_cost(score));
  score.mos_lqo = 2.5;
  score.impairments = {{Impairment::noise, 1}};
  EXPECT_FALSE(unrecognised_cost(score));
}

TEST(Impairment, HasANameAndAnAdvice) {
  for (const Impairment impairment : kAllImpairments) {
    EXPECT_EQ(impairment_from_string(to_string(impairment)), impairment);
    EXPECT_GT(advice(impairment, 0).size(), 30U);
    EXPECT_GT(advice(impairment, 100).size(), 30U);
  }
  EXPECT_FALSE(impairment_from_string("magic"));
}

TEST(Impairment, LossWithoutMissingSpeechIsNotToldAsLost) {
  EXPECT_EQ(advice(Impairment::loss, 0).find("lost"), std::string_view::npos);
  EXPECT_NE(advice(Impairment::loss, 40).find("lost"), std::string_view::npos);
}

TEST(Impairment, NamesKeepTheirOrderWithoutCosts) {
  Scorer scorer;
  std::size_t several = 0;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double level : {0.2, 0.5}) {
      const Signal received = test::with_noise(test::clipped(speech, level), 25, 7);
      const Score priced = scorer.diagnose(speech, received);
      const Score named = scorer.name_impairments(speech, received);
      several += named.impairments.size() > 1 ? 1 : 0;
      EXPECT_EQ(names(named), names(priced));
      EXPECT_EQ(named.mos_lqo, priced.mos_lqo);
      EXPECT_TRUE(named.loss_parts.empty());
      EXPECT_TRUE(std::none_of(named.impairments.begin(), named.impairments.end(),
                               [](const ImpairmentFinding& finding) { return finding.cost_mos.has_value(); }));
      ASSERT_TRUE(named.indices && named.indices->noise && priced.indices->noise);
      EXPECT_FALSE(named.indices->noise->cost_mos) << "0 would say that noise costs nothing";
      EXPECT_TRUE(priced.indices->noise->cost_mos);
    }
  }
  EXPECT_GT(several, 3U);
}

TEST(Impairment, OfASinglePlantedFaultCostsTheLossOfTheScore) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    const struct {
      Impairment impairment;
      Signal line;
    } cases[] = {{Impairment::noise, test::with_noise(speech, 20, 3)},
                 {Impairment::loss, test::with_losses(speech, 0.08, 4)},
                 {Impairment::coding, test::with_modulated_noise(speech, 15, 5)}};
    for (const auto& one : cases) {
      const Score score = scorer.diagnose(speech, one.line);
      ASSERT_TRUE(score.mos_lqo && !score.impairments.empty()) << talker;
      EXPECT_EQ(score.impairments.front().impairment, one.impairment) << talker << ": " << names(score);
      // Repair removes most of the fault, not all of it.
      EXPECT_GT(score.impairments.front().cost_mos.value_or(0), 0.5 * (4.55 - *score.mos_lqo))
          << talker << " " << to_string(one.impairment) << " at " << *score.mos_lqo;
    }
  }
}

TEST(Impairment, IsNotTheIdleNoiseOfAGoodCircuit) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (const double dbm0p : {-75.0, -68.0, -66.5}) {
      for (const double ber : {0.0, 1e-5}) {
        const Score score = scorer.diagnose(speech, test::over_mu_law(speech, ber, true, dbm0p, 11));
        ASSERT_TRUE(score.indices && score.indices->noise) << talker;
        EXPECT_NEAR(score.indices->noise->dbm0p, dbm0p, 1.5) << talker;
        EXPECT_FALSE(among_first_three(score, Impairment::noise)) << talker << " " << dbm0p << ": " << names(score);
        EXPECT_FALSE(unrecognised_cost(score)) << talker << ": the noise is not a fault, but its cost is known";
      }
    }
    const Score over = scorer.diagnose(speech, test::over_mu_law(speech, 0, true, -60, 12));
    EXPECT_TRUE(among_first_three(over, Impairment::noise)) << talker << ": " << names(over);
  }
}

TEST(Impairment, IsNotIdleNoiseAtAnyLineGainOrSpeechLevel) {
  Scorer scorer;
  const Signal speech = test::corpus_sentence("M4");
  for (const double gain : {0.1, 0.3, 2.0}) {
    const Signal line = test::with_gain(test::over_mu_law(speech, 0, true, -60, 13), gain);
    const Score score = scorer.diagnose(speech, line);
    ASSERT_TRUE(score.indices && score.indices->noise);
    // A loss of up to 6 dB may be the network's. Anything more is the recording's gain, and the noise has the same
    // distance from the speech.
    EXPECT_NEAR(score.indices->noise->dbm0p, gain < 1 ? -66 : -60, 1) << gain;
  }
  const Signal soft = test::with_gain(speech, 0.1);
  const Score score = scorer.diagnose(soft, test::over_mu_law(soft, 0, true, -69, 14));
  ASSERT_TRUE(score.indices && score.indices->noise);
  EXPECT_FALSE(among_first_three(score, Impairment::noise))
      << "the speech is quiet, the circuit is good: " << names(score);
}

TEST(Impairment, OfAFewBitErrorsOnAGoodCircuitIsNeverNoise) {
  Scorer scorer;
  int noise = 0;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    for (std::uint64_t seed = 300; seed < 306; ++seed) {
      const Score score = scorer.diagnose(speech, test::over_mu_law(speech, 1e-5, true, -68, seed));
      noise += !score.impairments.empty() && score.impairments.front().impairment == Impairment::noise ? 1 : 0;
    }
  }
  EXPECT_EQ(noise, 0);
}

TEST(Impairment, OfAVeryShortCutIsNotNoise) {
  Scorer scorer;
  for (const char* talker : kTalkers) {
    const Signal speech = test::corpus_sentence(talker);
    const auto [first, last] = test::speech_span(speech, 3.16e-2);
    for (const int ms : {20, 40, 60}) {
      Signal line = speech;
      std::fill(line.samples.begin() + first, line.samples.begin() + first + 8 * ms, 0.0F);
      const Score score = scorer.diagnose(speech, test::over_mu_law(line, 0, true, -68, 15));
      EXPECT_FALSE(among_first_three(score, Impairment::noise)) << talker << " " << ms << ": " << names(score);
    }
  }
}

}  // namespace
}  // namespace vqas
