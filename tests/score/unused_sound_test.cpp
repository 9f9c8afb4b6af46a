// Sound of the degraded recording that no speech of the reference explains: speech at another time than expected, and
// sentences received more than once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "score/planted_faults.h"
#include "score/recipes.h"
#include "support/share_bound.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

const std::vector<const char*> kSentences{"F1", "F2", "F3", "F4", "F5", "F6", "M1", "M2", "M3", "M4", "M5", "M6"};

/// Inserted silence: the sample of the signal after it, and its length in samples.
struct Gap {
  int at = 0, length = 0;
};

/// The quietest 20 ms within 0.75 s of a place inside the speech.
int quiet_place(const Signal& signal, test::Random& random) {
  constexpr int kHalf = 80;
  const auto [first, last] = test::speech_span(signal);
  const int margin = (last - first) / 10;
  const int middle = static_cast<int>(random.between(first + margin, last - margin));
  int best = middle;
  double least = 1e30;
  for (int at = std::max(first + margin, middle - 6000); at < std::min(last - margin, middle + 6000); at += 40) {
    double energy = 0;
    for (int n = at - kHalf; n < at + kHalf; ++n) energy += static_cast<double>(signal.samples[n]) * signal.samples[n];
    if (energy >= least) continue;
    least = energy;
    best = at;
  }
  return best;
}

std::vector<Gap> draw_gaps(const Signal& signal, test::Random& random) {
  std::vector<Gap> gaps(static_cast<std::size_t>(random.between(1, 4)));
  for (Gap& gap : gaps) gap = {quiet_place(signal, random), static_cast<int>(random.between(0.3, 1.5) * kLineRateHz)};
  std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.at < b.at; });
  return gaps;
}

Signal with_gaps(const Signal& signal, const std::vector<Gap>& gaps) {
  Signal result{{}, signal.rate_hz};
  auto from = signal.samples.begin();
  for (const Gap& gap : gaps) {
    result.samples.insert(result.samples.end(), from, signal.samples.begin() + gap.at);
    result.samples.resize(result.samples.size() + static_cast<std::size_t>(gap.length), 0.0F);
    from = signal.samples.begin() + gap.at;
  }
  result.samples.insert(result.samples.end(), from, signal.samples.end());
  return result;
}

/// Removes what with_gaps() has inserted.
Signal without_gaps(const Signal& signal, const std::vector<Gap>& gaps) {
  Signal result = signal;
  for (const Gap& gap : gaps) {
    const auto at = result.samples.begin() + gap.at;
    result.samples.erase(at, at + gap.length);
  }
  return result;
}

Signal over_line(const Signal& signal, int line, std::uint64_t seed) {
  if (line == 0) return signal;
  if (line == 1) return test::over_mu_law(signal, 1e-4, true, -68, seed);
  return test::over_mu_law(test::with_noise(signal, 30, seed), 1e-4, true, -68, seed);
}

/// All speech is intact, pauses are longer or shorter; the score, and that of the same samples without this.
struct Moved {
  std::string name;
  Score score;
  double mos_in_place = 0;
  bool is_wrong() const { return score.mos_lqo && *score.mos_lqo < 3 && *score.mos_lqo < mos_in_place - 0.5; }
};

std::vector<Moved> score_moved_pauses(std::uint64_t seed) {
  Scorer scorer;
  test::Random random(seed);
  std::vector<Moved> result;
  for (const char* id : kSentences) {
    const Signal speech = test::corpus_sentence(id);
    for (int line = 0; line < 3; ++line) {
      for (const bool longer : {true, false}) {
        const std::vector<Gap> gaps = draw_gaps(speech, random);
        const auto line_seed = static_cast<std::uint64_t>(random.between(1, 1e9));
        const Signal spread = with_gaps(speech, gaps);
        const std::string name = std::string(id) + (longer ? ", longer" : ", shorter") + ", line " +
                                 std::to_string(line) + ", " + std::to_string(gaps.size()) + " gaps";
        if (longer) {
          const Signal heard = over_line(spread, line, line_seed);
          result.push_back(
              {name, scorer.score(speech, heard), scorer.score(speech, without_gaps(heard, gaps)).mos_lqo.value_or(0)});
        } else {
          const Signal heard = over_line(speech, line, line_seed);
          result.push_back({name, scorer.score(spread, heard), scorer.score(speech, heard).mos_lqo.value_or(0)});
        }
      }
    }
  }
  return result;
}

TEST(IntactSpeech, WithChangedPausesIsNotScoredLowWithConfidence) {
  int wrong = 0;
  int not_sure = 0;
  for (const std::uint64_t seed : {31, 32, 33, 34}) {
    for (const Moved& pair : score_moved_pauses(seed)) {
      if (!pair.is_wrong()) continue;
      ++wrong;
      const double confidence = pair.score.confidence.value_or(0);
      not_sure += confidence <= 0.9 ? 1 : 0;
      if (confidence > 0.9) {
        std::printf("seed %d, %s: %.2f (in place %.2f), confidence %.2f\n", static_cast<int>(seed), pair.name.c_str(),
                    *pair.score.mos_lqo, pair.mos_in_place, confidence);
      }
    }
  }
  std::printf("%d of %d wrong scores have a low confidence\n", not_sure, wrong);
  ASSERT_GE(wrong, 30);
  EXPECT_GE(test::share_at_least(not_sure, wrong), 0.9);
}

TEST(IntactSpeech, WithTwoWordsExchangedSaysThatTheyArrivedInAnotherOrder) {
  Scorer scorer;
  for (const char* id : {"F1", "F2", "F5", "M2", "M4", "M6"}) {
    const Signal speech = test::corpus_sentence(id);
    const Score exchanged = scorer.score(test::words_of(speech, {0, 1, 2, 3}), test::words_of(speech, {0, 3, 2, 1}));
    ASSERT_TRUE(exchanged.mos_lqo) << id << ": " << exchanged.reason;
    EXPECT_LE(exchanged.confidence.value_or(1), 0.75) << id;
    // Where both words are longer than the sound that may belong to their neighbours, "another time" says as much.
    const bool is_told = exchanged.reason.find("in another order") != std::string::npos ||
                         exchanged.reason.find("the same speech at another time") != std::string::npos;
    EXPECT_TRUE(is_told) << id << ": " << exchanged.reason;
    // What was received in its place is no other order, though it arrived twice.
    const Score repeated = scorer.score(test::words_of(speech, {0, 1, 2, 3}), test::words_of(speech, {0, 2, 2, 3}));
    EXPECT_EQ(repeated.reason.find("in another order"), std::string::npos) << id << ": " << repeated.reason;
    Signal silenced = test::words_of(speech, {0, 1, 2, 3});
    std::fill_n(silenced.samples.begin() + 6000, 6000, 0.0F);
    const Score muted = scorer.score(test::words_of(speech, {0, 1, 2, 3}), silenced);
    EXPECT_EQ(muted.reason.find("in another order"), std::string::npos) << id << ": " << muted.reason;
  }
}

// The alignment keeps the order of the speech, so that what comes later than what follows it is found nowhere.
TEST(IntactSpeech, WithAWordAtAnotherTimeWarnsThatItMayLieElsewhere) {
  constexpr std::size_t kWord = 1120;
  Scorer scorer;
  for (const char* id : {"F1", "F3", "F5", "M4"}) {
    const Signal speech = test::corpus_sentence(id);
    const auto at = static_cast<std::ptrdiff_t>(0.65 * static_cast<double>(speech.size()));
    Signal line = test::padded(speech, 0, 16000);
    const auto word = line.samples.begin() + at;
    std::copy_n(word, kWord, line.samples.end() - 8000);
    std::fill_n(word, kWord, 0.0F);
    const Score score = scorer.score(speech, line);
    ASSERT_TRUE(score.mos_lqo) << id << ": " << score.reason;
    EXPECT_LE(score.confidence.value_or(1), 0.5) << id;
    EXPECT_NE(score.reason.find("the same speech at another time"), std::string::npos) << id << ": " << score.reason;
  }
}

TEST(IntactSpeech, WithADeletedPauseIsFound) {
  Scorer scorer;
  for (const char* id : {"F1", "F3"}) {
    const Signal speech = test::corpus_sentence(id);
    const Score score = scorer.score(test::with_jump(speech, 0.5, 12000), speech);
    EXPECT_GT(score.mos_lqo.value_or(0), 3.5) << id << ": " << score.reason;
  }
}

TEST(IntactSpeech, ScoredLowForInsertedSilenceAloneHasAReason) {
  const Signal speech = test::corpus_sentence("F5");
  Signal line = speech;
  for (const auto& [at_s, length_s] : {std::pair{3.1, 1.0}, {2.0, 0.8}, {1.0, 0.6}}) {
    line.samples.insert(line.samples.begin() + static_cast<std::ptrdiff_t>(at_s * kLineRateHz),
                        static_cast<std::size_t>(length_s * kLineRateHz), 0.0F);
  }
  const Score score = Scorer().score(speech, line);
  ASSERT_TRUE(score.mos_lqo) << score.reason;
  EXPECT_LT(*score.mos_lqo, 3);
  EXPECT_LE(score.confidence.value_or(1), 0.5);
  EXPECT_NE(score.reason.find("moves speech by 2.4 s, and the score takes 1.9 MOS off"), std::string::npos)
      << score.reason;
}

TEST(MissingSpeech, IsALowScoreWithHighConfidence) {
  Scorer scorer;
  test::Random random(41);
  int sure = 0;
  int pairs = 0;
  for (const char* id : kSentences) {
    const Signal speech = test::corpus_sentence(id);
    for (const double from : {0.15, 0.35, 0.55}) {
      const Signal gone = test::silenced(speech, from, from + random.between(0.15, 0.3));
      const Score score = scorer.score(speech, random.uniform() < 0.5 ? gone : test::with_noise(gone, 25, 7));
      ASSERT_TRUE(score.mos_lqo) << id << ": " << score.reason;
      ++pairs;
      sure += score.confidence.value_or(0) > 0.9 ? 1 : 0;
      EXPECT_TRUE(score.unused_sound.empty()) << id << " from " << from;
      EXPECT_EQ(score.reason.find("another time"), std::string::npos) << id << " from " << from << ": " << score.reason;
    }
  }
  std::printf("%d of %d with high confidence\n", sure, pairs);
  EXPECT_GE(sure, pairs * 2 / 3);
}

Signal ruined(const Signal& speech, int how) {
  if (how == 0) return test::with_losses(speech, 0.4, 3);
  if (how == 1) return test::with_noise(speech, 0, 3);
  if (how == 2) return test::with_bit_errors(speech, 2e-2, 3);
  return test::silenced(speech, 0.3, 0.7);
}

TEST(UnusedSound, OfAGoodAndARuinedCopyIsReportedAndNotTrusted) {
  Scorer scorer;
  for (int how = 0; how < 4; ++how) {
    for (const bool good_first : {true, false}) {
      for (const char* id : {"F1", "M5", "F6"}) {
        const Signal speech = test::corpus_sentence(id);
        const Signal bad = ruined(speech, how);
        const Signal both = test::joined(good_first ? speech : bad, 6000, good_first ? bad : speech);
        const Score score = scorer.score(speech, both);
        const std::string what = std::string(id) + " ruined by " + std::to_string(how) + (good_first ? ", last" : "");
        ASSERT_EQ(score.mos_lqo.value_or(0), 4.55) << what;
        EXPECT_LE(score.confidence.value_or(1), 0.5) << what;
        EXPECT_NE(score.reason.find("more than once"), std::string::npos) << what << ": " << score.reason;
        ASSERT_FALSE(score.unused_sound.empty()) << what;
        const UnusedSound& sound = score.unused_sound.front();
        EXPECT_LT(sound.mos_lqo.value_or(9), 2) << what;
        const double copy_s = good_first ? speech.seconds() + 0.75 : 0;
        EXPECT_GE(sound.start_s, copy_s - 0.05) << what;
        EXPECT_LE(sound.start_s + sound.length_s, copy_s + speech.seconds() + 0.05) << what;
      }
    }
  }
}

TEST(UnusedSound, OfTwoGoodCopiesIsReportedAndTheScoreTrusted) {
  const Signal speech = test::corpus_sentence("M5");
  const Score score = Scorer().score(speech, test::joined(speech, 6000, speech));
  EXPECT_EQ(score.mos_lqo.value_or(0), 4.55);
  EXPECT_GT(score.confidence.value_or(0), 0.9);
  EXPECT_NE(score.reason.find("more than once"), std::string::npos) << score.reason;
  ASSERT_FALSE(score.unused_sound.empty());
  EXPECT_GT(score.unused_sound.front().mos_lqo.value_or(0), 4.5);
}

TEST(UnusedSound, OfAnotherTalkerIsListedAndCostsNoConfidence) {
  Scorer scorer;
  const Signal speech = test::corpus_sentence("M5");
  const Signal other = test::corpus_sentence("F2");
  for (const bool before : {true, false}) {
    const Score score =
        scorer.score(speech, before ? test::joined(other, 6000, speech) : test::joined(speech, 6000, other));
    EXPECT_EQ(score.mos_lqo.value_or(0), 4.55);
    EXPECT_GT(score.confidence.value_or(0), 0.9);
    EXPECT_EQ(score.reason, "");
    ASSERT_FALSE(score.unused_sound.empty());
    for (const UnusedSound& sound : score.unused_sound) {
      EXPECT_FALSE(sound.mos_lqo);
      EXPECT_EQ(before, sound.start_s < other.seconds());
    }
  }
}

TEST(UnusedSound, IsNotReportedOnOrdinaryLines) {
  Scorer scorer;
  int pairs = 0;
  int told = 0;
  for (const char* id : kSentences) {
    const Signal speech = test::corpus_sentence(id);
    std::uint64_t seed = 1;
    for (const auto& fault : test::planted_faults()) {
      for (const double strength : fault.strengths) {
        const Score score = scorer.score(speech, test::over_clean_line(fault.plant(speech, strength, seed), seed));
        ++seed;
        if (!score.mos_lqo) continue;
        ++pairs;
        told += score.unused_sound.empty() ? 0 : 1;
        EXPECT_EQ(score.reason.find("more than once"), std::string::npos) << id << " " << fault.name << " " << strength;
        if (!score.unused_sound.empty()) std::printf("%s %s %g\n", id, fault.name.c_str(), strength);
      }
    }
  }
  std::printf("%d of %d reported\n", told, pairs);
  ASSERT_GE(pairs, 500);
  EXPECT_GE(test::share_at_least(pairs - told, pairs), 0.98);
}

TEST(UnusedSound, IsNotReportedForAnEcho) {
  const Signal speech = test::corpus_sentence("F4");
  for (const int lag : {800, 2400, 4000}) {
    Signal echo = test::padded(speech, 0, 8000);
    for (std::size_t n = static_cast<std::size_t>(lag); n < echo.size() && n - lag < speech.size(); ++n) {
      echo.samples[n] += 0.2F * speech.samples[n - static_cast<std::size_t>(lag)];
    }
    EXPECT_TRUE(Scorer().score(speech, echo).unused_sound.empty()) << lag;
  }
}

}  // namespace
}  // namespace vqas
