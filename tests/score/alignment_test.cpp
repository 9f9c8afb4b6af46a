// Faults of known size: delay, drift and jumps must be measured as planted.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "score/recipes.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

constexpr double kSampleMs = 0.125;

class KnownFaults : public ::testing::Test {
 protected:
  Score score(const Signal& reference, const Signal& degraded) {
    Score result = scorer_.score(reference, degraded);
    EXPECT_EQ(to_string(result.outcome), "scored") << result.reason;
    return result;
  }
  Scorer scorer_;
};

TEST_F(KnownFaults, AConstantDelayIsFoundToTheSample) {
  const struct {
    double ber;
    double tolerance_samples;
  } lines[] = {{0, 0.5}, {1e-4, 0.5}, {1e-3, 1}, {1e-2, 4}};
  std::uint64_t seed = 1;
  for (const char* id : {"M2", "F3", "F5"}) {
    const Signal speech = test::corpus_sentence(id);
    for (const auto& line : lines) {
      for (const int delay : {0, 1, 801, 15999, 80000}) {
        const Signal recording = test::padded(test::with_bit_errors(speech, line.ber, ++seed), delay, 2000);
        EXPECT_NEAR(score(speech, recording).delay_ms.value_or(-1), delay * kSampleMs,
                    line.tolerance_samples * kSampleMs)
            << id << " at BER " << line.ber;
      }
    }
  }
}

TEST_F(KnownFaults, AFractionOfASampleIsMeasured) {
  const Signal speech = test::corpus_sentence("M4");
  for (const double delay : {100.25, 100.5, 2000.75}) {
    const Signal recording = test::resampled_by_clock(speech, 0, delay);
    EXPECT_NEAR(score(speech, recording).delay_ms.value_or(-1), delay * kSampleMs, 0.1 * kSampleMs);
  }
}

TEST_F(KnownFaults, ARecordingThatStartsLateHasANegativeDelay) {
  const Signal speech = test::corpus_sentence("M3");
  EXPECT_NEAR(score(speech, test::padded(speech, -1200, 0)).delay_ms.value_or(0), -150, kSampleMs);
}

TEST_F(KnownFaults, ADelayJumpIsFollowedPieceByPiece) {
  const Signal speech = test::corpus_sentence("M5");
  for (const int jump : {-2400, -480, -80, 80, 320, 2400}) {
    const Signal recording = test::padded(test::with_jump(speech, 0.5, jump), 1000, 0);
    const Score result = score(speech, recording);
    ASSERT_GE(result.delay_track.size(), 2U) << jump;
    const DelayPiece& first = result.delay_track.front();
    const DelayPiece& last = result.delay_track.back();
    EXPECT_NEAR(first.delay_ms, 125, kSampleMs) << jump;
    EXPECT_NEAR(last.delay_ms, 125 + jump * kSampleMs, kSampleMs) << jump;
    EXPECT_NEAR(last.start_s, 0.5 * speech.seconds(), 0.35) << jump;
    EXPECT_GT(*result.mos_lqo, 2.5) << "a jump is not a loss, " << jump;
  }
}

TEST_F(KnownFaults, TheTrackCoversTheWholeReference) {
  const Signal speech = test::corpus_sentence("F1");
  const Score result = score(speech, test::with_jump(test::with_jump(speech, 0.7, 300), 0.3, -300));
  double end = 0;
  for (const DelayPiece& piece : result.delay_track) {
    EXPECT_NEAR(piece.start_s, end, 1e-9);
    EXPECT_GT(piece.length_s, 0);
    end = piece.start_s + piece.length_s;
  }
  EXPECT_NEAR(end, speech.seconds(), 0.05);
}

TEST_F(KnownFaults, ClockDriftIsMeasuredAndCorrected) {
  for (const char* id : {"M6", "F6"}) {
    const Signal speech = test::corpus_sentence(id);
    for (const double ppm : {0.0, 20.0, -50.0, 100.0, -300.0, 1000.0}) {
      const Signal drifted = test::resampled_by_clock(speech, ppm, 500);
      const Score clean = score(speech, drifted);
      EXPECT_NEAR(clean.clock_drift_ppm.value_or(1e6), ppm, 5) << id;
      EXPECT_GE(*clean.mos_lqo, 4.4) << id << " " << ppm << " ppm";
      const Score hit = score(speech, test::with_bit_errors(drifted, 1e-3, 5));
      EXPECT_NEAR(hit.clock_drift_ppm.value_or(1e6), ppm, 5) << id << " at BER 1e-3";
    }
  }
}

TEST_F(KnownFaults, AJumpIsNotADrift) {
  const Signal speech = test::corpus_sentence("M5");
  const Score result = score(speech, test::with_jump(speech, 0.5, 480));
  if (result.clock_drift_ppm) {
    EXPECT_NEAR(*result.clock_drift_ppm, 0, 10);
  }
}

TEST_F(KnownFaults, PolarityDoesNotChangeTheDelay) {
  const Signal speech = test::corpus_sentence("F2");
  const Signal recording = test::padded(test::with_gain(test::with_bit_errors(speech, 1e-3, 6), -0.5), 333, 0);
  EXPECT_NEAR(score(speech, recording).delay_ms.value_or(-1), 333 * kSampleMs, kSampleMs);
}

// With a strong fundamental the inverted speech correlates half a period off nearly as well as the speech at its place.
TEST(Alignment, DistinguishesInvertedSpeechFromSpeechHalfAPeriodOff) {
  Scorer scorer;
  for (const char* id : {"F1", "F4"}) {
    for (const double pitch_hz : {110.0, 125.0, 160.0}) {
      Signal speech = test::corpus_sentence(id);
      Signal envelope = speech;
      for (float& sample : envelope.samples) sample = std::abs(sample);
      envelope = test::smoothed(envelope, 320);
      for (std::size_t n = 0; n < speech.size(); ++n) {
        const double tone = std::sin(2 * std::numbers::pi * pitch_hz * static_cast<double>(n) / kLineRateHz);
        speech.samples[n] += static_cast<float>(4 * envelope.samples[n] * tone);
      }
      const Score score = scorer.score(speech, test::with_gain(speech, -0.5));
      EXPECT_NEAR(score.mos_lqo.value_or(0), 4.55, 0.02) << id << " " << pitch_hz;
    }
  }
}

// A voice whose pitch moves as the clock does is the same a pitch period later, at one delay for all of it.
TEST(Alignment, AClockPutsNoVoiceAPitchPeriodAway) {
  Scorer scorer;
  for (const std::string talker : {"F1", "F2"}) {
    const Signal speech = test::corpus_sentence(talker);
    for (double ppm = -500; ppm <= 500; ppm += 25) {
      if (ppm == 0) continue;
      const Score score = scorer.score(speech, test::resampled_by_clock(speech, ppm, 0));
      EXPECT_GT(score.mos_lqo.value_or(0), 4.4) << talker << " " << ppm;
      EXPECT_NEAR(score.clock_drift_ppm.value_or(0), ppm, 3) << talker << " " << ppm;
    }
  }
}

// All that one delay has is a steady voice, a pitch period away from most of its words.
TEST(Alignment, AStepBetweenWordsPutsNoVoiceAPitchPeriodAway) {
  Scorer scorer;
  test::Random random(7);
  for (const char* id : {"F1", "F2", "F3", "F4", "F5", "F6", "M1", "M2", "M3", "M4", "M5", "M6"}) {
    const Signal speech = test::corpus_sentence(id);
    for (int n = 0; n < 12; ++n) {
      std::array<std::size_t, 4> pauses = {3200, 3200, 3200, 3200};
      int delay = 0;
      for (const std::size_t word : {1U, 2U, 3U}) {
        const auto step = static_cast<int>(random.between(-60, 60));
        pauses[word] = static_cast<std::size_t>(3200 + step);
        delay += step;
      }
      for (const double gain : {1.0, -1.0}) {
        const Signal line = test::with_gain(test::words_of(speech, {0, 1, 2, 3}, pauses), gain);
        const Score score = scorer.score(test::words_of(speech, {0, 1, 2, 3}), line);
        const std::string what = std::string(id) + ", " + std::to_string(n) + ", gain " + std::to_string(gain);
        EXPECT_GT(score.mos_lqo.value_or(0), 3.8) << what;
        ASSERT_FALSE(score.delay_track.empty()) << what;
        EXPECT_NEAR(score.delay_track.back().delay_ms, delay * kSampleMs, kSampleMs) << what;
      }
    }
  }
}

// Silence does not tell where in it the delay steps: a listener hears all words, whole.
TEST(Alignment, AStepInTheSilenceBetweenWordsIsNotHeard) {
  Scorer scorer;
  for (const char* id : {"F1", "F2", "F3", "F4", "F5", "F6", "M1", "M2", "M3", "M4", "M5", "M6"}) {
    const Signal speech = test::corpus_sentence(id);
    for (const int step : {-480, -320, -160, 160, 320, 480}) {
      std::array<std::size_t, 4> pauses = {3200, 3200, 3200, 3200};
      pauses[2] = static_cast<std::size_t>(3200 + step);
      const Signal line = test::words_of(speech, {0, 1, 2, 3}, pauses);
      const Score score = scorer.score(test::words_of(speech, {0, 1, 2, 3}), line);
      EXPECT_GT(score.mos_lqo.value_or(0), 4.4) << id << " " << step * kSampleMs << " ms";
    }
  }
}

// Nor does a sound there lie beside the step.
TEST(Alignment, ASoundInTheMiddleOfAPauseThatLastsLongerIsHeard) {
  constexpr std::size_t kSound = 320;
  Scorer scorer;
  for (const char* id : {"F1", "F2", "F3", "F4", "F5", "F6", "M1", "M2", "M3", "M4", "M5", "M6"}) {
    const Signal speech = test::corpus_sentence(id);
    for (const std::size_t longer : {800U, 1200U, 1360U, 1520U, 1680U, 3200U}) {
      const Signal sent = test::words_of(speech, {0, 1, 2, 3});
      Signal line = test::words_of(speech, {0, 1, 2, 3}, {3200, 3200, 3200 + longer, 3200});
      const Score silent = scorer.score(sent, line);
      const std::size_t from = 3 * 3200 + 2 * 2800 + (longer - kSound) / 2;
      for (std::size_t n = 0; n < kSound; ++n) line.samples[from + n] = 2 * speech.samples[speech.size() / 2 + n];
      const Score heard = scorer.score(sent, line);
      EXPECT_LT(heard.mos_lqo.value_or(5), silent.mos_lqo.value_or(0) - 0.1) << id << " " << longer;
    }
  }
}

}  // namespace
}  // namespace vqas
