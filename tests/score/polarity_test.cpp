// The polarity of a line does not affect the score, however the delay changes: an inverted recording gets the same
// score, clock drift and delays as the recording itself.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "score/planted_faults.h"
#include "score/recipes.h"
#include "support/speech.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

using Line = std::function<Signal(const Signal&)>;

Signal with_random_steps(const Signal& speech) {
  test::Random random(11);
  Signal result = speech;
  for (const double share : {0.2, 0.35, 0.5, 0.65, 0.8}) {
    result = test::with_jump(result, share, static_cast<int>(random.between(-400, 400)));
  }
  return result;
}

Signal band_passed(const Signal& speech) {
  return test::filtered(test::high_passed(speech, 300, 4), 3400, false);
}

Signal rounded(Signal signal) {
  for (float& sample : signal.samples) sample = std::nearbyint(sample * 32768.0F) / 32768.0F;
  return signal;
}

const std::vector<std::pair<std::string, Line>>& moving_lines() {
  static const std::vector<std::pair<std::string, Line>> kLines{
      {"step of 40 ms", [](const Signal& x) { return test::with_jump(x, 0.5, 320); }},
      {"step of -40 ms", [](const Signal& x) { return test::with_jump(x, 0.5, -320); }},
      {"random steps", with_random_steps},
      {"band-pass", band_passed},
      {"noise", [](const Signal& x) { return test::with_noise(x, 20, 5); }},
      {"rounded at -20 dB", [](const Signal& x) { return rounded(test::with_gain(x, 0.1)); }},
      {"bit errors", [](const Signal& x) { return test::with_bit_errors(x, 1e-3, 5); }},
  };
  return kLines;
}

constexpr double kDriftsPpm[] = {200, -200, 2000, -2000, 9000, -9000};

std::string impairments_of(const Score& score) {
  std::string all;
  for (const ImpairmentFinding& finding : score.impairments)
    all += std::to_string(static_cast<int>(finding.impairment)) + " ";
  return all;
}

/// The score of `line`, after a check that the inverted line has an equal one.
Score same_either_way(Scorer& scorer, const Signal& speech, const Signal& line, const std::string& what) {
  const Score upright = scorer.diagnose(speech, line);
  const Score inverted = scorer.diagnose(speech, test::with_gain(line, -1));
  EXPECT_EQ(upright.outcome, inverted.outcome) << what;
  EXPECT_NEAR(upright.mos_lqo.value_or(0), inverted.mos_lqo.value_or(0), 0.02) << what;
  EXPECT_EQ(upright.clock_drift_ppm.has_value(), inverted.clock_drift_ppm.has_value()) << what;
  EXPECT_NEAR(upright.clock_drift_ppm.value_or(0), inverted.clock_drift_ppm.value_or(0), 5) << what;
  EXPECT_EQ(upright.auditory_distance, inverted.auditory_distance) << what;
  EXPECT_EQ(upright.confidence, inverted.confidence) << what;
  EXPECT_EQ(upright.delay_ms, inverted.delay_ms) << what;
  EXPECT_EQ(impairments_of(upright), impairments_of(inverted)) << what;
  return upright;
}

void polarity_is_none_of_its_business(const Signal& speech, const std::string& name) {
  Scorer scorer;
  for (const auto& [what, line] : moving_lines()) same_either_way(scorer, speech, line(speech), name + ", " + what);
  for (const double ppm : kDriftsPpm) {
    const std::string what = name + ", " + std::to_string(ppm) + " ppm";
    const Signal drifted = test::resampled_by_clock(speech, ppm, 1000);
    const Score clean = same_either_way(scorer, speech, drifted, what);
    EXPECT_NEAR(clean.clock_drift_ppm.value_or(1e9), ppm, 5) << what;
    EXPECT_GE(clean.mos_lqo.value_or(0), 4.45) << what;
    const Score noisy = same_either_way(scorer, speech, test::with_noise(drifted, 20, 6), what + " in noise");
    EXPECT_NEAR(noisy.clock_drift_ppm.value_or(ppm), ppm, 5) << what << " in noise";
    const Score filtered = same_either_way(scorer, speech, band_passed(drifted), what + " after a band-pass");
    EXPECT_NEAR(filtered.clock_drift_ppm.value_or(ppm), ppm, 5) << what << " after a band-pass";
  }
}

TEST(Polarity, ChangesNothingOfTheCorpusWhateverTheDelayDoes) {
  for (const char* id : {"M1", "M3", "M4", "M6", "F1", "F3", "F4", "F5"}) {
    polarity_is_none_of_its_business(test::corpus_sentence(id), id);
  }
}

TEST(Polarity, ChangesNothingOfRecordedSpeechWhateverTheDelayDoes) {
  VQAS_SPEECH_OR_SKIP(folder);
  for (const char* name : {"dense_F1", "harvard_F1", "long", "words_F1_02", "words_F1_06", "words_M3_04"}) {
    const auto read = read_audio(folder / (std::string(name) + ".flac"), {.rate_hz = kLineRateHz});
    ASSERT_TRUE(read) << name;
    polarity_is_none_of_its_business(*read, name);
  }
}

TEST(Polarity, AFastClockAfterABandPassIsNotReportedAsASlowOne) {
  Scorer scorer;
  for (const char* id : {"M1", "M2", "M3", "M4", "M5", "M6", "F1", "F2", "F3", "F4", "F5", "F6"}) {
    const Signal speech = test::corpus_sentence(id);
    for (const double ppm : {10000.0, -10000.0, 7471.0, -5941.0}) {
      const Score score = scorer.score(speech, band_passed(test::resampled_by_clock(speech, ppm, 1500)));
      EXPECT_NEAR(score.clock_drift_ppm.value_or(ppm), ppm, 5) << id;
      EXPECT_GE(score.mos_lqo.value_or(0), 4) << id << " " << ppm;
    }
  }
}

// Words of 0.25 s between digital silence, received with the opposite offset and without 62.5 ms of one word. Where
// nothing was sent the two offsets are opposite at every delay.
TEST(Polarity, IsNotToldByDigitalSilenceBetweenWords) {
  constexpr int kWord = 2000;
  constexpr int kSilence = 5000;
  constexpr int kTakenOut = 500;
  constexpr float kOffset = 3e-4F;
  Scorer scorer;
  for (const char* id : {"F1", "F2", "F3", "F4", "F5", "F6", "M1", "M2", "M3", "M4", "M5", "M6"}) {
    const Signal sentence = test::corpus_sentence(id);
    Signal sent{{}, sentence.rate_hz};
    std::vector<float> received;
    for (int word = 0; word < 9; ++word) {
      for (int n = word * kWord; n < (word + 1) * kWord; ++n) {
        const float sample = sentence.samples[static_cast<std::size_t>(n)];
        sent.samples.push_back(sample + kOffset);
        received.push_back(sample - kOffset);
      }
      sent.samples.resize(sent.samples.size() + kSilence);
      received.resize(received.size() + kSilence);
    }
    const auto cut = received.begin() + 4 * (kWord + kSilence) + kWord / 3;
    received.erase(cut, cut + kTakenOut);
    const Score score = scorer.score(sent, Signal{received, sent.rate_hz});
    ASSERT_FALSE(score.delay_track.empty()) << id << ": " << score.reason;
    EXPECT_NEAR(score.delay_track.front().delay_ms, 0, 1) << id;
    EXPECT_NEAR(score.delay_track.back().delay_ms, -1000.0 * kTakenOut / sent.rate_hz, 1) << id;
  }
}

// No one delay fits then, and a single inverted one of the whole waveforms may agree best by chance. Every word is
// where it was, upright.
TEST(Polarity, IsNotToldByOneDelayWhereEveryPauseLastsLonger) {
  VQAS_SPEECH_OR_SKIP(folder);
  const auto read = read_audio(folder / "words_F1_05.flac", {.rate_hz = kLineRateHz});
  ASSERT_TRUE(read);
  const Signal& words = *read;
  Signal line{{}, words.rate_hz};
  std::ptrdiff_t at = 0;
  const auto copy_to = [&](std::ptrdiff_t end) {
    line.samples.insert(line.samples.end(), words.samples.begin() + at, words.samples.begin() + end);
    at = end;
  };
  int second = 0;
  for (const int longer_ms : {23, 45, 44, 32, 43, 44, 26, 22, 45}) {
    copy_to(static_cast<std::ptrdiff_t>((second++ + 0.85) * words.rate_hz));
    line.samples.resize(line.samples.size() + static_cast<std::size_t>(longer_ms * words.rate_hz / 1000), 0.0F);
  }
  copy_to(std::ssize(words.samples));
  Scorer scorer;
  const Score score = same_either_way(scorer, words, line, "longer pauses");
  EXPECT_GT(score.mos_lqo.value_or(0), 3.8);
}

}  // namespace
}  // namespace vqas
