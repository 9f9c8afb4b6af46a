// A long recording scored in segments: as good as its parts, wherever the speech lies.
#include "vqas/score/segments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "score/planted_faults.h"
#include "score/recipes.h"

namespace vqas {
namespace {

/// Sentences of the corpus in sequence, half a second apart, until `seconds` are full.
Signal talk(double seconds) {
  static constexpr const char* kOrder[] = {"M1", "F2", "M5", "F5", "M3", "F1", "M6", "F6"};
  Signal all{{}, kLineRateHz};
  for (std::size_t k = 0; all.seconds() < seconds; ++k) {
    const Signal sentence = test::padded(test::corpus_sentence(kOrder[k % 8]), 0, 4000);
    all.samples.insert(all.samples.end(), sentence.samples.begin(), sentence.samples.end());
  }
  all.samples.resize(static_cast<std::size_t>(seconds * kLineRateHz));
  return all;
}

LongScore score(const Signal& reference, const Signal& degraded, const SegmentOptions& options = {}) {
  Scorer scorer;
  const auto result = score_in_segments(scorer, as_long_recording(reference), as_long_recording(degraded), options);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *result : LongScore{};
}

std::string names(const Score& score) {
  std::string text;
  for (const ImpairmentFinding& finding : score.impairments) text += std::string(to_string(finding.impairment)) + " ";
  return text;
}

/// White noise 10 dB over the speech.
Signal noise_of(const Signal& speech, std::size_t seconds) {
  Signal noise = test::with_noise(speech, -10, 3);
  for (std::size_t n = 0; n < noise.size(); ++n) noise.samples[n] -= speech.samples[n];
  noise.samples.resize(seconds * kLineRateHz);
  return noise;
}

TEST(ScoreSegments, CoverTheReferenceWithoutGapAndIdentityIsExact) {
  const Signal speech = talk(90);
  const LongScore same = score(speech, speech);
  ASSERT_GE(same.segments.size(), 4U);
  EXPECT_EQ(same.scored, same.segments.size());
  EXPECT_EQ(same.overall.mos_lqo, 4.55);
  EXPECT_EQ(same.overall.auditory_distance, 0.0);
  double end = 0;
  for (const SegmentScore& segment : same.segments) {
    EXPECT_NEAR(segment.start_s, end, 1e-9);
    EXPECT_LE(segment.length_s, 21.1);
    end = segment.start_s + segment.length_s;
  }
  EXPECT_NEAR(end, 90, 1e-6);
}

TEST(ScoreSegments, TrustNoMoreWhereSoundIsPutInBetweenTwoOfThem) {
  const Signal speech = talk(90);
  const LongScore same = score(speech, speech);
  ASSERT_GE(same.segments.size(), 3U);
  const LongScore found = score(speech, test::with_put_in(speech, same.segments[2].start_s / 90, noise_of(speech, 20)));
  EXPECT_GT(same.overall.confidence.value_or(0), 0.95);
  EXPECT_LT(found.overall.confidence.value_or(1), 0.6);
  EXPECT_NE(found.overall.reason.find("loud sound"), std::string::npos) << found.overall.reason;
  for (const SegmentScore& segment : found.segments)
    EXPECT_EQ(segment.score.reason, "") << segment.start_s << ": it is no finding of a segment";
}

// What the line sends in pauses is not put in.
TEST(ScoreSegments, APausePutInBetweenTwoOfThemOnANoisyLineIsNoLoudSound) {
  const Signal speech = talk(90);
  const double border_s = score(speech, test::with_noise(speech, 10, 3)).segments.at(2).start_s;
  const Signal pause{std::vector<float>(2 * kLineRateHz, 0.0F), kLineRateHz};
  const LongScore found = score(speech, test::with_noise(test::with_put_in(speech, border_s / 90, pause), 10, 3));
  EXPECT_EQ(found.overall.reason, "");
  EXPECT_GT(found.overall.confidence.value_or(0), 0.95);
}

// As in a shorter recording, where it is heard against the level of all.
TEST(ScoreSegments, ALevelThatFallsFromOneToTheNextIsHeard) {
  const Signal speech = talk(90);
  const auto at = static_cast<std::size_t>(score(speech, speech).segments.at(2).start_s * kLineRateHz);
  double before = 4.55;
  for (const double gain : {0.1, 0.01}) {
    Signal line = speech;
    for (std::size_t n = at; n < line.size(); ++n) line.samples[n] *= static_cast<float>(gain);
    const LongScore found = score(speech, line);
    const double in_one = Scorer().score(speech, line).mos_lqo.value_or(0);
    EXPECT_NEAR(found.overall.mos_lqo.value_or(5), in_one, 0.3) << gain;
    EXPECT_LT(found.overall.mos_lqo.value_or(5), before - 0.5) << gain;
    EXPECT_NEAR(found.overall.indices.value_or(Indices{}).level_track.range_db, -20 * std::log10(gain), 1) << gain;
    EXPECT_EQ(names(found.overall), "level ") << gain;
    before = found.overall.mos_lqo.value_or(5);
  }
}

TEST(ScoreSegments, SoundInASilentPartOfTheReferenceIsTold) {
  Signal speech = talk(110);
  std::fill(speech.samples.begin() + 40 * kLineRateHz, speech.samples.begin() + 85 * kLineRateHz, 0.0F);
  const Signal noise = noise_of(speech, 10);
  Signal line = speech;
  std::copy(noise.samples.begin(), noise.samples.end(), line.samples.begin() + 60 * kLineRateHz);
  const LongScore found = score(speech, line);
  EXPECT_NE(found.overall.reason.find("loud sound"), std::string::npos) << found.overall.reason;
  EXPECT_LT(found.overall.confidence.value_or(1), 0.75);
  EXPECT_EQ(score(speech, speech).overall.reason, "");
}

// Noise that begins with what is put in is no limit for it.
TEST(ScoreSegments, SoundPutInWhereNoiseBeginsIsTold) {
  const Signal speech = talk(90);
  const double border_s = score(speech, speech).segments.at(2).start_s;
  Signal line = test::with_put_in(speech, border_s / 90, noise_of(speech, 6));
  Signal noisy = test::with_noise(line, 12, 5);
  std::copy_n(line.samples.begin(), static_cast<std::size_t>(border_s * kLineRateHz), noisy.samples.begin());
  const LongScore found = score(speech, noisy);
  EXPECT_NE(found.overall.reason.find("loud sound"), std::string::npos) << found.overall.reason;
  EXPECT_LT(found.overall.confidence.value_or(1), 0.7);
}

TEST(ScoreSegments, SilenceBetweenSentencesCountsAsInOnePiece) {
  Signal talk_with_pauses;
  talk_with_pauses.rate_hz = kLineRateHz;
  while (talk_with_pauses.seconds() < 130) {
    const Signal sentence = test::corpus_sentence("M1");
    talk_with_pauses.samples.insert(talk_with_pauses.samples.end(), sentence.samples.begin(), sentence.samples.end());
    talk_with_pauses.samples.resize(talk_with_pauses.samples.size() + 8 * kLineRateHz, 0.0F);
  }
  const Signal line = test::with_losses(talk_with_pauses, 0.1, 3);
  const double in_one = Scorer().score(talk_with_pauses, line).mos_lqo.value_or(0);
  EXPECT_NEAR(score(talk_with_pauses, line).overall.mos_lqo.value_or(5), in_one, 0.15);
}

TEST(ScoreSegments, TellAllThatIsInDoubt) {
  const Signal speech = talk(90);
  const double border_s = score(speech, speech).segments.at(1).start_s;
  Signal line = speech;
  std::reverse(line.samples.begin() + 65 * kLineRateHz, line.samples.end());
  line = test::with_put_in(line, border_s / 90, noise_of(speech, 5));
  const std::string reason = score(speech, line).overall.reason;
  EXPECT_NE(reason.find("were not found"), std::string::npos) << reason;
  EXPECT_NE(reason.find("loud sound"), std::string::npos) << reason;
}

TEST(ScoreSegments, FindADelayAndFollowADriftThatAddsUp) {
  const Signal speech = talk(120);
  // 400 ppm over 120 s are 48 ms.
  const Signal line = test::resampled_by_clock(speech, 400, 20000);
  const LongScore found = score(speech, line);
  EXPECT_EQ(found.scored, found.segments.size());
  EXPECT_GT(found.overall.mos_lqo.value_or(0), 4.2);
  EXPECT_NEAR(found.overall.clock_drift_ppm.value_or(0), 400, 20);
  EXPECT_NEAR(found.segments.front().score.delay_ms.value_or(0), 2500, 15);
  EXPECT_NEAR(found.segments.back().score.delay_ms.value_or(0) - found.segments.front().score.delay_ms.value_or(0), 40,
              15);
}

TEST(ScoreSegments, ShowWhereALineIsBad) {
  const Signal speech = talk(100);
  Signal line = speech;
  // Noise from 40 s to 60 s, silence from 80 s on.
  Signal part{std::vector<float>(line.samples.begin() + 320000, line.samples.begin() + 480000), kLineRateHz};
  part = test::with_noise(part, 10, 1);
  std::copy(part.samples.begin(), part.samples.end(), line.samples.begin() + 320000);
  std::fill(line.samples.begin() + 640000, line.samples.end(), 0.0F);
  const LongScore found = score(speech, line);
  for (const SegmentScore& segment : found.segments) {
    const double end = segment.start_s + segment.length_s;
    ASSERT_TRUE(segment.score.mos_lqo) << segment.score.reason;
    if (end <= 40) {
      EXPECT_EQ(*segment.score.mos_lqo, 4.55) << segment.start_s;
    }
    if (segment.start_s > 42 && end < 60) {
      EXPECT_LT(*segment.score.mos_lqo, 2.6) << segment.start_s;
    }
    if (segment.start_s > 82) {
      EXPECT_LT(*segment.score.mos_lqo, 1.5) << segment.start_s;
      EXPECT_EQ(segment.score.impairments.front().impairment, Impairment::loss);
    }
  }
  ASSERT_TRUE(found.overall.indices);
  const MissingSpeech& missing = found.overall.indices->missing;
  double silent_ms = 0;
  for (const SegmentScore& segment : found.segments) {
    if (segment.start_s >= 80) silent_ms += segment.score.indices.value_or(Indices{}).missing.speech_ms;
  }
  EXPECT_GT(silent_ms, 1000);
  EXPECT_GE(missing.tail_ms, silent_ms);
  EXPECT_EQ(missing.front_ms + missing.middle_ms, 0);
}

TEST(ScoreSegments, BeforeTheFirstMatchAreScoredAndPausesAreNot) {
  const Signal speech = talk(80);
  Signal line = speech;
  std::fill(line.samples.begin(), line.samples.begin() + 200000, 0.0F);
  const LongScore late = score(speech, line);
  ASSERT_TRUE(late.segments.front().score.mos_lqo) << late.segments.front().score.reason;
  EXPECT_LT(*late.segments.front().score.mos_lqo, 1.5);
  ASSERT_TRUE(late.overall.indices);
  EXPECT_NEAR(late.overall.indices->missing.front_ms / late.overall.indices->missing.speech_ms, 25.0 / 80, 0.08);
  EXPECT_EQ(late.overall.indices->missing.middle_ms + late.overall.indices->missing.tail_ms, 0);
  EXPECT_GT(late.segments.back().score.mos_lqo.value_or(0), 4.5);

  Signal paused = speech;
  std::fill(paused.samples.begin() + 300000, paused.samples.end(), 0.0F);
  const LongScore pause = score(paused, paused);
  EXPECT_LT(pause.scored, pause.segments.size());
  EXPECT_EQ(pause.segments.back().score.outcome, Outcome::no_speech);
  EXPECT_EQ(pause.overall.mos_lqo, 4.55);
}

TEST(ScoreSegments, WithoutAnyMatchThereIsNoScore) {
  const Signal speech = talk(60);
  Signal other = speech;
  std::reverse(other.samples.begin(), other.samples.end());
  const LongScore none = score(speech, other);
  EXPECT_EQ(none.overall.outcome, Outcome::not_aligned) << none.overall.reason;
  EXPECT_FALSE(none.overall.mos_lqo);
  const LongScore silent = score(speech, Signal{std::vector<float>(480000, 0.0F), kLineRateHz});
  EXPECT_EQ(silent.overall.outcome, Outcome::no_speech);
}

/// The speech with `seconds` of silence inserted at `at_s`, or, if negative, deleted there.
Signal with_step(const Signal& speech, double at_s, double seconds) {
  Signal line = speech;
  const auto at = line.samples.begin() + static_cast<std::ptrdiff_t>(at_s * kLineRateHz);
  const auto count = static_cast<std::ptrdiff_t>(std::abs(seconds) * kLineRateHz);
  if (seconds > 0) {
    line.samples.insert(at, static_cast<std::size_t>(count), 0.0F);
  } else {
    line.samples.erase(at, at + count);
  }
  return line;
}

Signal silenced_between(Signal signal, double from_s, double to_s) {
  std::fill(signal.samples.begin() + static_cast<std::ptrdiff_t>(from_s * kLineRateHz),
            signal.samples.begin() + static_cast<std::ptrdiff_t>(to_s * kLineRateHz), 0.0F);
  return signal;
}

double lost_s(const LongScore& found) {
  const MissingSpeech missing = found.overall.indices.value_or(Indices{}).missing;
  return missing.total_ms() / 1000;
}

TEST(ScoreSegments, WhatAnImpairmentCostsIsWhatTheScoreOfAllLosesByIt) {
  const Signal speech = talk(150);
  const LongScore muted = score(speech, silenced_between(speech, 50, 70));
  ASSERT_FALSE(muted.overall.impairments.empty());
  EXPECT_EQ(muted.overall.impairments.front().impairment, Impairment::loss);
  EXPECT_NEAR(muted.overall.impairments.front().cost_mos.value_or(0), 4.55 - muted.overall.mos_lqo.value_or(0), 0.1);
  const LongScore noisy = score(speech, test::with_noise(speech, 20, 2));
  ASSERT_FALSE(noisy.overall.impairments.empty());
  EXPECT_EQ(noisy.overall.impairments.front().impairment, Impairment::noise);
  EXPECT_NEAR(noisy.overall.impairments.front().cost_mos.value_or(0), 4.55 - noisy.overall.mos_lqo.value_or(0), 0.2);
}

TEST(ScoreSegments, FindASpeechThatBeginsLaterThanAnySingleSearchReaches) {
  const Signal speech = talk(60);
  for (const double lead_s : {15.0, 70.0}) {
    const LongScore found = score(speech, with_step(speech, 0, lead_s));
    EXPECT_GT(found.overall.mos_lqo.value_or(0), 4.5) << lead_s << ": " << found.overall.reason;
    EXPECT_NEAR(found.overall.delay_ms.value_or(0), 1000 * lead_s, 1);
  }
}

TEST(ScoreSegments, FollowAStepThatIsLongerThanAnySingleSearch) {
  const Signal speech = talk(80);
  const LongScore later = score(speech, with_step(speech, 31, 15));
  EXPECT_GT(later.overall.mos_lqo.value_or(0), 3.9);
  EXPECT_LT(lost_s(later), 1);
  // Deleted speech is lost, the speech after it is not.
  const LongScore sooner = score(speech, with_step(speech, 31, -15));
  Scorer scorer;
  EXPECT_NEAR(sooner.overall.mos_lqo.value_or(0), scorer.score(speech, with_step(speech, 31, -15)).mos_lqo.value_or(9),
              0.2);
  EXPECT_LT(lost_s(sooner), 16);
  EXPECT_NEAR(sooner.segments.back().score.delay_ms.value_or(0), -15000, 1);
  EXPECT_GT(sooner.segments.back().score.mos_lqo.value_or(0), 4.4);
}

TEST(ScoreSegments, NothingIsFoundInWhatOthersReceived) {
  // The same sentences come again every 30 s and more.
  const Signal speech = talk(100);
  Scorer scorer;
  for (const auto& [line, lost] :
       {std::pair{silenced_between(speech, 50, 100), 50.0}, std::pair{silenced_between(speech, 35, 70), 35.0},
        std::pair{with_step(speech, 30, -40), 40.0}}) {
    const LongScore found = score(speech, line);
    EXPECT_NEAR(found.overall.mos_lqo.value_or(0), scorer.score(speech, line).mos_lqo.value_or(9), 0.2) << lost;
    const double all_s = found.overall.indices.value_or(Indices{}).missing.speech_ms / 1000;
    EXPECT_NEAR(lost_s(found) / all_s, lost / 100, 0.1) << lost;
  }
  const LongScore late = score(speech, with_step(speech, 0, 70));
  EXPECT_NEAR(late.overall.delay_ms.value_or(0), 70000, 1);
  EXPECT_GT(late.overall.mos_lqo.value_or(0), 4.5);
}

TEST(ScoreSegments, AStepOfAnyLengthIsOneStep) {
  const Signal speech = talk(80);
  for (const double step_s : {-5.0, 3.0, 40.0}) {
    const LongScore found = score(speech, with_step(speech, 33, step_s));
    EXPECT_NEAR(found.segments.front().score.delay_ms.value_or(-1), 0, 1) << step_s;
    EXPECT_NEAR(found.segments.back().score.delay_ms.value_or(-1), 1000 * step_s, 1) << step_s;
    EXPECT_GT(found.overall.mos_lqo.value_or(0), step_s > 0 ? 4.2 : 3.3) << step_s;
    EXPECT_LT(lost_s(found), step_s > 0 ? 0.1 : -step_s + 0.5) << step_s;
  }
}

TEST(ScoreSegments, ASegmentEndsAtAStepThatNoSearchReads) {
  const Signal speech = talk(180);
  const LongScore found = score(speech, with_step(speech, 85, 90));
  EXPECT_GT(found.overall.mos_lqo.value_or(0), 4.5);
  EXPECT_LT(lost_s(found), 0.1);
  double end = 0;
  for (const SegmentScore& segment : found.segments) {
    EXPECT_NEAR(segment.start_s, end, 1e-9);
    EXPECT_GE(segment.length_s, 1);
    EXPECT_GT(segment.score.mos_lqo.value_or(0), 4.3) << segment.start_s;
    EXPECT_NEAR(segment.score.delay_ms.value_or(-1), segment.start_s > 84.5 ? 90000 : 0, 1) << segment.start_s;
    end = segment.start_s + segment.length_s;
  }
  EXPECT_NEAR(end, 180, 1e-6);
  // The path has no place for the few seconds between two steps, so that the delay steps by 100 s at once.
  const LongScore twice = score(speech, with_step(with_step(speech, 93, 50), 85, 50));
  EXPECT_GT(twice.overall.mos_lqo.value_or(0), 4.3);
  EXPECT_LT(lost_s(twice), 0.3);
}

TEST(ScoreSegments, SpeechBehindNoiseIsNotLost) {
  const Signal speech = talk(180);
  const auto half = static_cast<std::ptrdiff_t>(speech.samples.size() / 2);
  Signal noisy{std::vector<float>(speech.samples.begin() + half, speech.samples.end()), kLineRateHz};
  noisy = test::with_noise(noisy, -12, 3);
  Signal line = speech;
  std::copy(noisy.samples.begin(), noisy.samples.end(), line.samples.begin() + half);
  const LongScore found = score(speech, line);
  const double all_s = found.overall.indices.value_or(Indices{}).missing.speech_ms / 1000;
  EXPECT_LT(lost_s(found), 0.05 * all_s);
  if (!found.overall.impairments.empty()) {
    EXPECT_EQ(found.overall.impairments.front().impairment, Impairment::noise) << names(found.overall);
  }
  EXPECT_LE(found.overall.confidence.value_or(9), 0.75);
  const LongScore muted = score(speech, silenced_between(speech, 90, 180));
  EXPECT_NEAR(lost_s(muted) / muted.overall.indices.value_or(Indices{}).missing.speech_ms * 1000, 0.5, 0.05);
}

TEST(ScoreSegments, ARecordingOfAMomentHoldsNoneOfThem) {
  const Signal speech = talk(130);
  for (const std::ptrdiff_t samples : {1, 400}) {
    const Signal moment{std::vector<float>(speech.samples.begin() + 20000, speech.samples.begin() + 20000 + samples),
                        kLineRateHz};
    const LongScore found = score(speech, moment);
    EXPECT_EQ(found.scored, 0U);
    for (const SegmentScore& segment : found.segments) {
      const Outcome outcome = segment.score.outcome;
      EXPECT_TRUE(outcome == Outcome::no_speech || outcome == Outcome::not_aligned) << segment.score.reason;
    }
  }
}

TEST(ScoreSegments, WithoutASearchTheUncertaintyBoundsThePath) {
  const Signal speech = talk(45);
  EXPECT_GT(score(speech, with_step(speech, 0, 0.3), {.search_s = 0}).overall.mos_lqo.value_or(0), 4.5);
  EXPECT_FALSE(score(speech, with_step(speech, 0, 12), {.search_s = 0}).overall.mos_lqo.value_or(0) > 3);
}

TEST(ScoreSegments, FindSpeechWhoseEnvelopeIsHidden) {
  const Signal speech = talk(60);
  const LongScore noisy = score(speech, test::with_noise(with_step(speech, 0, 3), 0, 3));
  EXPECT_NEAR(noisy.overall.delay_ms.value_or(0), 3000, 1);
  EXPECT_EQ(noisy.scored, noisy.segments.size());
  const LongScore damaged = score(speech, test::with_bit_errors(with_step(speech, 0, 4), 1e-2, 3));
  EXPECT_NEAR(damaged.overall.delay_ms.value_or(0), 4000, 1);
  EXPECT_EQ(damaged.scored, damaged.segments.size());
}

TEST(ScoreSegments, WeighALossLikeAShorterRecording) {
  const Signal speech = talk(60);
  Scorer scorer;
  const auto compare = [&](const Signal& line, Impairment impairment) {
    const LongScore found = score(speech, line);
    const Score whole = scorer.diagnose(speech, line);
    EXPECT_NEAR(found.overall.mos_lqo.value_or(0), whole.mos_lqo.value_or(9), 0.15);
    EXPECT_EQ(names(found.overall), std::string(to_string(impairment)) + " ");
    EXPECT_LT(found.overall.indices.value_or(Indices{}).level_track.range_db, 3);
    return found;
  };
  // Guaranteed for a recording whose second half is missing.
  EXPECT_LE(compare(silenced_between(speech, 30, 60), Impairment::cut).overall.mos_lqo.value_or(9), 2.3);
  compare(silenced_between(speech, 15, 33), Impairment::loss);
  compare(silenced_between(speech, 0, 25), Impairment::cut);
}

TEST(ScoreSegments, GiveTheScoreOfTheWholeRecording) {
  const Signal speech = talk(62);
  Scorer scorer;
  double sum = 0;
  int count = 0;
  const auto compare = [&](const Signal& line, const std::string& what) {
    const double segments = score(speech, line).overall.mos_lqo.value_or(0);
    const double whole = scorer.score(speech, line).mos_lqo.value_or(9);
    EXPECT_NEAR(segments, whole, 0.15) << what;
    sum += std::abs(segments - whole);
    ++count;
  };
  for (const double from_s : {0.0, 7.0, 22.0, 33.0, 47.0}) {
    for (const double length_s : {2.0, 12.0}) {
      compare(silenced_between(speech, from_s, from_s + length_s),
              std::to_string(length_s) + " s from " + std::to_string(from_s));
    }
  }
  for (const double share : {0.01, 0.03, 0.1})
    compare(test::with_losses(speech, share, 3), std::to_string(share) + " lost");
  compare(test::with_noise(speech, 20, 3), "noise");
  compare(test::with_bit_errors(speech, 1e-3, 3), "bit errors");
  EXPECT_LT(sum / count, 0.05);
}

TEST(ScoreSegments, CountMissingSpeechWhereverTheSilenceStarts) {
  const Signal speech = talk(70);
  const double all_s = score(speech, speech).overall.indices.value_or(Indices{}).missing.speech_ms / 1000;
  for (double from_s = 10; from_s < 30; from_s += 2.9) {
    const Signal line = test::with_noise(silenced_between(speech, from_s, from_s + 30), 60, 5);
    const LongScore found = score(speech, line);
    EXPECT_NEAR(lost_s(found) / all_s, 30.0 / 70, 0.06) << from_s;
    ASSERT_FALSE(found.overall.impairments.empty()) << from_s;
    EXPECT_EQ(found.overall.impairments.front().impairment, Impairment::loss) << from_s;
  }
}

TEST(ScoreSegments, SpeechMissingAtASegmentsEndIsInTheMiddleIfMoreFollows) {
  const Signal speech = talk(60);
  const LongScore segments = score(speech, speech);
  ASSERT_GE(segments.segments.size(), 3U);
  const double border_s = segments.segments[1].start_s;
  const LongScore found = score(speech, silenced_between(speech, border_s - 3, border_s - 0.2));
  ASSERT_TRUE(found.overall.indices);
  const MissingSpeech& missing = found.overall.indices->missing;
  EXPECT_GT(missing.middle_ms, 800);
  EXPECT_EQ(missing.front_ms, 0);
  EXPECT_EQ(missing.tail_ms, 0);
  EXPECT_NE(names(found.overall).find("loss"), std::string::npos) << names(found.overall);
  EXPECT_EQ(names(found.overall).find("cut"), std::string::npos) << names(found.overall);
}

// As in a single recording: below its limit an impairment is named by what it costs.
TEST(ScoreSegments, AFaintCutIsNotNamedAndACoderIsByItsCost) {
  const Signal speech = test::padded(talk(60), 800, 0);
  const auto start_s = [&](double from_s) {
    std::size_t n = 0;
    while (std::abs(speech.samples[n]) < 0.01F) ++n;
    return static_cast<double>(n) / kLineRateHz + from_s;
  };
  for (const double ms : {8.0, 12.0, 20.0}) {
    const LongScore found = score(speech, silenced_between(speech, 0, start_s(ms / 1000)));
    EXPECT_EQ(names(found.overall).find("cut"), std::string::npos) << ms << ": " << names(found.overall);
  }
  Signal voices{{}, kLineRateHz};
  for (const char* talker : {"F5", "F5", "M3"}) {
    for (int n = 0; n < 8; ++n) {
      const Signal sentence = test::corpus_sentence(talker);
      voices.samples.insert(voices.samples.end(), sentence.samples.begin(), sentence.samples.end());
    }
  }
  const LongScore coded = score(voices, test::over_g711(voices, G711Law::mu));
  EXPECT_GE(4.55 - coded.overall.mos_lqo.value_or(4.55), 0.5) << "else it shows nothing";
  EXPECT_EQ(names(coded.overall), "coding ");
}

TEST(ScoreSegments, OverallConfidenceIsThatOfTheParts) {
  const Signal speech = talk(60);
  const LongScore found = score(speech, test::with_losses(test::with_noise(speech, 15, 3), 0.05, 4));
  double least = 1;
  double most = 0;
  for (const SegmentScore& segment : found.segments) {
    least = std::min(least, segment.score.confidence.value_or(0));
    most = std::max(most, segment.score.confidence.value_or(0));
  }
  EXPECT_LT(most, 0.999);
  EXPECT_GE(found.overall.confidence.value_or(0), least);
  EXPECT_LE(found.overall.confidence.value_or(9), most);
}

TEST(ScoreSegments, SoundInPlaceOfLostSpeechMakesTheScoreAmbiguous) {
  const Signal speech = talk(60);
  Signal line = speech;
  // Another sentence, backwards, in place of the last third.
  std::reverse(line.samples.begin() + 320000, line.samples.end());
  const LongScore ambiguous = score(speech, line);
  EXPECT_LE(ambiguous.overall.confidence.value_or(9), 0.75);
  EXPECT_NE(ambiguous.overall.reason.find("were not found"), std::string::npos) << ambiguous.overall.reason;
  const LongScore silent = score(speech, silenced_between(speech, 40, 60));
  // P.862 may forgive speech that is missing at an end.
  EXPECT_GT(silent.overall.confidence.value_or(0), ambiguous.overall.confidence.value_or(1));
  EXPECT_EQ(silent.overall.reason.find("were not found"), std::string::npos) << silent.overall.reason;
}

TEST(ScoreSegments, AreReadOneAtATimeAndCanBeStopped) {
  const Signal speech = talk(200);
  double longest = 0;
  double all = 0;
  LongRecording reading = as_long_recording(speech);
  const LongRecording watched{reading.seconds, [&](double start, double seconds) {
                                longest = std::max(longest, seconds);
                                all += seconds;
                                return reading.read(start, seconds);
                              }};
  Scorer scorer;
  ASSERT_TRUE(score_in_segments(scorer, reading, watched));
  EXPECT_LE(longest, 41.1);
  EXPECT_LE(all, 2.2 * 200) << "once for the path and once for the scores, each with what lies beside";
  int asked = 0;
  const auto stopped = score_in_segments(scorer, reading, watched, {},
                                         {.on_progress = [&](double) { return ++asked < 3; }, .on_explained = {}});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
  EXPECT_FALSE(score_in_segments(scorer, reading, watched, {.segment_s = 1}));
}

TEST(ScoreSegments, TellProgressInOrderAndStopWhereverTheyAreTold) {
  const Signal speech = talk(60);
  // A part for every stage: found, at a step, and missing.
  const Signal line = silenced_between(with_step(speech, 15, 3), 45, 63);
  int reads = 0;
  const LongRecording inner = as_long_recording(speech);
  const LongRecording reference{inner.seconds, [&](double start, double seconds) {
                                  ++reads;
                                  return inner.read(start, seconds);
                                }};
  Scorer scorer;
  std::vector<double> told;
  const auto note = [&](double done) {
    told.push_back(done);
    return true;
  };
  ASSERT_TRUE(
      score_in_segments(scorer, reference, as_long_recording(line), {}, {.on_progress = note, .on_explained = {}}));
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_GT(told.front(), 0);
  EXPECT_LT(told.front(), 0.05);
  EXPECT_EQ(told.back(), 1);
  for (std::size_t last = 1; last <= told.size(); ++last) {
    std::size_t asked = 0;
    int reads_then = 0;
    reads = 0;
    const auto stop = [&](double) {
      reads_then = reads;
      return ++asked < last;
    };
    const auto stopped =
        score_in_segments(scorer, reference, as_long_recording(line), {}, {.on_progress = stop, .on_explained = {}});
    ASSERT_FALSE(stopped) << last;
    EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);
    EXPECT_EQ(stopped.error().message, "scoring was stopped before the end of the recording");
    EXPECT_EQ(asked, last) << "asked again";
    EXPECT_EQ(reads, reads_then) << "read again";
  }
}

TEST(ScoreSegments, RefuseALengthThatNoRecordingHasAndTooLowRates) {
  const Signal speech = talk(30);
  const LongRecording good = as_long_recording(speech);
  Scorer scorer;
  for (const double seconds : {std::nan(""), std::numeric_limits<double>::infinity(), -1.0, 1e12, 1e18, 1e300}) {
    const LongRecording bad{seconds, good.read};
    for (const auto& result : {score_in_segments(scorer, bad, good), score_in_segments(scorer, good, bad)}) {
      ASSERT_FALSE(result) << seconds;
      EXPECT_EQ(result.error().code, ErrorCode::bad_input);
    }
  }
  for (const int rate_hz : {1, 10, 19, 999}) {
    const Signal slow{std::vector<float>(static_cast<std::size_t>(130 * rate_hz), 0.1F), rate_hz};
    const auto result = score_in_segments(scorer, as_long_recording(slow), good);
    ASSERT_FALSE(result) << rate_hz;
    EXPECT_NE(result.error().message.find(std::to_string(rate_hz)), std::string::npos);
  }
}

}  // namespace
}  // namespace vqas
