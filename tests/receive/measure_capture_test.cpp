#include "receive/measure_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "receive/captures.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

using test::around;
using test::stimulus;

class MeasureCapture : public ::testing::Test {
 protected:
  static Measurement measure(const Capture& capture, const Signal& reference) {
    Scorer scorer;
    return measure_capture(capture, reference, scorer);
  }
};

TEST_F(MeasureCapture, AnUnchangedTransmissionScoresNearTheTop) {
  const Signal speech = stimulus("M1");
  const Measurement m = measure(around(speech, MarksFound::both), speech);
  EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
  EXPECT_EQ(m.sequence, 12U);
  EXPECT_EQ(m.marks_found, MarksFound::both);
  EXPECT_GT(m.mos_lqo.value(), 4.3);
  EXPECT_EQ(m.clock_drift_ppm, 0.0);
  EXPECT_FALSE(m.delay_ms) << "a delay comes from the line's clock only";
}

TEST_F(MeasureCapture, OneMarkIsEnoughForAScore) {
  const Signal speech = stimulus("F1");
  for (const MarksFound marks : {MarksFound::leading_only, MarksFound::trailing_only}) {
    const Measurement m = measure(around(speech, marks), speech);
    EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
    EXPECT_EQ(m.marks_found, marks);
  }
}

TEST_F(MeasureCapture, WithMarksWhateverArrivedIsScored) {
  const Signal speech = stimulus("M1");
  const Signal silence{std::vector<float>(speech.size(), 0.0F), kLineRateHz};
  for (const Signal& other : {silence, test::noise(0.05, speech.seconds(), 8), stimulus("F5")}) {
    const Measurement m = measure(around(other, MarksFound::both), speech);
    EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
    EXPECT_LT(m.mos_lqo.value_or(5), 1.6);
  }
}

TEST_F(MeasureCapture, AnUnidentifiedMarkWithAnotherSentenceIsNotScored) {
  for (const MarksFound marks : {MarksFound::both, MarksFound::leading_only, MarksFound::trailing_only}) {
    Capture capture = around(stimulus("F1"), marks);
    capture.data_confirmed = false;
    const Measurement wrong = measure(capture, stimulus("M6"));
    EXPECT_EQ(wrong.outcome, Outcome::not_found);
    EXPECT_FALSE(wrong.mos_lqo);
    EXPECT_THAT(wrong.reason, ::testing::HasSubstr("does not identify"));
    const Measurement right = measure(capture, stimulus("F1"));
    EXPECT_EQ(right.outcome, Outcome::scored) << right.reason;
    EXPECT_GT(right.mos_lqo.value_or(0), 4.3);
  }
}

TEST_F(MeasureCapture, TheNextSentenceCutByTheWindowIsNotScored) {
  const Signal speech = stimulus("M6");
  for (const MarksFound marks : {MarksFound::leading_only, MarksFound::none}) {
    Capture capture = around(stimulus("F1"), marks);
    capture.data_confirmed = false;
    const auto half = speech.samples.begin() + static_cast<std::ptrdiff_t>(2 * speech.size() / 3);
    capture.recording.samples.insert(capture.recording.samples.end(), speech.samples.begin(), half);
    ASSERT_EQ(Scorer().score(speech, capture.recording).outcome, Outcome::scored);
    const Measurement m = measure(capture, speech);
    EXPECT_EQ(m.outcome, Outcome::not_found);
    EXPECT_FALSE(m.mos_lqo);
  }
}

TEST_F(MeasureCapture, SpeechThatMayBelongToTwoTransmissionsCountsForNone) {
  const Signal speech = stimulus("M6");
  Capture capture = around(speech, MarksFound::none);
  capture.ambiguous = true;
  const Measurement m = measure(capture, speech);
  EXPECT_EQ(m.outcome, Outcome::not_found);
  EXPECT_FALSE(m.mos_lqo);
}

TEST_F(MeasureCapture, NothingReceivedIsNotFound) {
  Capture capture;
  capture.recording.rate_hz = kLineRateHz;
  const Measurement m = measure(capture, stimulus("M1"));
  EXPECT_EQ(m.outcome, Outcome::not_found);
  EXPECT_THAT(m.reason, ::testing::HasSubstr("nothing was received"));
}

TEST_F(MeasureCapture, AStepOfTheDelayIsNotReportedAsClockDrift) {
  const Signal speech = stimulus("M6");
  for (const std::ptrdiff_t step : {8, 40}) {
    Capture capture = around(speech, MarksFound::both);
    capture.recording.samples.insert(capture.recording.samples.begin() + 24000, static_cast<std::size_t>(step), 0.0F);
    capture.clock_drift_ppm = static_cast<double>(step) / static_cast<double>(speech.size() + 4000) * 1e6;
    const Measurement m = measure(capture, speech);
    EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
    EXPECT_LT(std::abs(m.clock_drift_ppm.value_or(0)), 10) << step;
  }
}

TEST_F(MeasureCapture, TheMarksDriftIsReportedWhereItRepeatsOrTheSpeechAgrees) {
  const Signal speech = stimulus("M1");
  const Signal hiss = test::noise(0.05, speech.seconds(), 8);
  Capture capture = around(hiss, MarksFound::both);
  capture.clock_drift_ppm = 55.0;
  EXPECT_FALSE(measure(capture, speech).clock_drift_ppm) << "noise has no drift, and one mark distance is not enough";
  capture.drift_repeated = true;
  EXPECT_EQ(measure(capture, speech).clock_drift_ppm, 55.0);
  capture = around(speech, MarksFound::both);
  capture.clock_drift_ppm = 0.7;
  EXPECT_EQ(measure(capture, speech).clock_drift_ppm, 0.7);
}

TEST_F(MeasureCapture, ARepeatedMarkDistanceThatTheSpeechContradictsIsNoDrift) {
  const Signal speech = stimulus("M6");
  for (const double marks_ppm : {350.0, -350.0, 110.0}) {
    Capture capture = around(speech, MarksFound::both);
    capture.clock_drift_ppm = marks_ppm;
    capture.drift_repeated = true;
    const Measurement m = measure(capture, speech);
    ASSERT_TRUE(m.clock_drift_ppm);
    EXPECT_NEAR(*m.clock_drift_ppm, 0, 10) << marks_ppm;
    EXPECT_GT(m.mos_lqo.value_or(0), 4.3);
    EXPECT_EQ(m.placement->clock_drift_ppm, 0);
  }
}

TEST_F(MeasureCapture, WithoutMarksAndSpeechThereIsNoScore) {
  const Signal speech = stimulus("M1");
  const Signal silence{std::vector<float>(speech.size(), 0.0F), kLineRateHz};
  for (const Signal& other : {silence, test::noise(0.05, speech.seconds(), 8), stimulus("F5")}) {
    const Measurement m = measure(around(other, MarksFound::none), speech);
    EXPECT_EQ(m.outcome, Outcome::not_found);
    EXPECT_FALSE(m.mos_lqo);
    EXPECT_FALSE(m.auditory_distance);
    EXPECT_FALSE(m.reason.empty());
    EXPECT_THAT(m.reason, ::testing::Not(::testing::HasSubstr("degraded recording"))) << "a line has no files";
    EXPECT_THAT(m.reason, ::testing::Not(::testing::HasSubstr("channel")));
  }
}

TEST_F(MeasureCapture, TooLittleReceivedIsToldInTheWordsOfALine) {
  const Signal speech = stimulus("M1");
  Capture capture = around(speech, MarksFound::none);
  capture.recording.samples.resize(kLineRateHz / 5);
  EXPECT_THAT(measure(capture, speech).reason, ::testing::HasSubstr("hardly anything was received"));
}

TEST_F(MeasureCapture, SpeechWithoutMarksIsFoundAndReportedAsSuch) {
  const Signal speech = stimulus("M6");
  const Measurement m = measure(around(speech, MarksFound::none), speech);
  EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
  EXPECT_EQ(m.marks_found, MarksFound::none);
}

TEST_F(MeasureCapture, AnOverdrivenInputIsNotScored) {
  const Signal speech = stimulus("M1");
  Capture capture = around(speech, MarksFound::both);
  std::fill_n(capture.recording.samples.begin() + 20000, 4, -1.0F);
  const Measurement m = measure(capture, speech);
  EXPECT_EQ(m.outcome, Outcome::clipped_input);
  EXPECT_FALSE(m.mos_lqo);
}

TEST_F(MeasureCapture, ClippingIsHalfAMillisecondAtFullScaleOfOneSign) {
  Signal signal = test::noise(0.5, 1, 1);
  std::fill_n(signal.samples.begin() + 100, 3, 1.0F);
  EXPECT_FALSE(is_clipped(signal));
  signal.samples[103] = -1.0F;
  EXPECT_FALSE(is_clipped(signal)) << "another sign";
  signal.samples[103] = 32766.0F / 32768.0F;
  EXPECT_TRUE(is_clipped(signal));
  signal.rate_hz = kWideRateHz;
  EXPECT_FALSE(is_clipped(signal)) << "a quarter of a millisecond";
  std::fill_n(signal.samples.begin() + 100, 8, 1.0F);
  EXPECT_TRUE(is_clipped(signal));
}

TEST_F(MeasureCapture, AnOverdrivenFarEndIsTheLineNotTheReceiversInput) {
  for (const float top : {32124.0F, 32256.0F}) {  // of G.711's mu-law and A-law decoders
    const Signal signal{std::vector<float>(8000, top / 32768.0F), kLineRateHz};
    EXPECT_FALSE(is_clipped(signal));
  }
}

/// A receiver's capture when the line's delay stepped by `step` samples at `at`, counted from the speech's start.
Capture with_step(const Capture& straight, std::ptrdiff_t at, std::ptrdiff_t step) {
  Capture capture = straight;
  auto& samples = capture.recording.samples;
  const auto place = samples.begin() + std::llround(*capture.speech_start) + at;
  if (step > 0) {
    samples.insert(place, static_cast<std::size_t>(step), 0.0F);
  } else {
    samples.erase(place, place - step);
    // It begins where the speech could begin according to the trailing mark.
    const Signal before = test::noise(1e-4, static_cast<double>(-step) / kLineRateHz, 6);
    samples.insert(samples.begin(), before.samples.begin(), before.samples.end());
    *capture.speech_start -= static_cast<double>(step);
  }
  capture.delay_step = static_cast<double>(step);
  capture.clock_drift_ppm.reset();
  return capture;
}

TEST_F(MeasureCapture, AStepOfTheDelayOutsideTheSpeechCostsNothing) {
  for (const char* name : {"M1", "F5"}) {
    const Signal speech = stimulus(name);
    const Capture straight = around(speech, MarksFound::both);
    const double undisturbed = measure(straight, speech).mos_lqo.value();
    const auto behind = static_cast<std::ptrdiff_t>(speech.size()) + 100;
    for (const std::ptrdiff_t step : {480, 800, 1600, 5600, -480, -1600}) {
      for (const std::ptrdiff_t at : {step < 0 ? step - 100 : -200, behind}) {
        const Measurement m = measure(with_step(straight, at, step), speech);
        EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
        EXPECT_NEAR(m.mos_lqo.value_or(0), undisturbed, 0.1) << name << ' ' << step << " at " << at;
        EXPECT_NEAR(m.delay_step_ms.value_or(0), static_cast<double>(step) / 8, 0.01);
        EXPECT_THAT(m.note, ::testing::HasSubstr("delay changed"));
      }
    }
  }
}

TEST_F(MeasureCapture, AStepWithinTheSpeechCostsOnlyTheStep) {
  const Signal speech = stimulus("M1");
  const Capture straight = around(speech, MarksFound::both);
  for (const std::ptrdiff_t step : {800, 1600, -480}) {
    const Capture capture = with_step(straight, 24000, step);
    const Measurement m = measure(capture, speech);
    const Score searched = Scorer().score(speech, capture.recording);
    EXPECT_NEAR(m.mos_lqo.value_or(0), searched.mos_lqo.value(), 0.15) << step;
    EXPECT_GT(m.mos_lqo.value_or(0), 2.5) << step;
    EXPECT_EQ(m.delay_track.size() > 1, searched.delay_track.size() > 1) << step;
  }
}

// Half a second into the recording only a short word lies before the step. The search, which knows of no step, gives
// the word up and scores better.
TEST_F(MeasureCapture, BothDelaysOfAStepEarlyInTheSpeechAreFound) {
  const Signal speech = stimulus("M1");
  const Capture straight = around(speech, MarksFound::both);
  for (const std::ptrdiff_t step : {800, 1600}) {
    const Capture capture = with_step(straight, 4000, step);
    const Measurement m = measure(capture, speech);
    const Score searched = Scorer().score(speech, capture.recording);
    EXPECT_GE(searched.mos_lqo.value_or(0), m.mos_lqo.value_or(5) - 1e-3) << "the search finds no less";
    EXPECT_GT(m.mos_lqo.value_or(0), 2.5) << step;
    ASSERT_EQ(m.delay_track.size(), 2U) << step;
    EXPECT_NEAR(m.delay_track[0].delay_ms, 500, 0.2) << step;
    EXPECT_NEAR(m.delay_track[1].delay_ms, 500 + static_cast<double>(step) / 8, 0.2) << step;
  }
}

TEST_F(MeasureCapture, ALongStepWithinTheSpeechCostsAsTheScoreFinds) {
  std::uint32_t seed = 1;
  for (const char* name : {"M1", "M2", "M3", "M4", "M5", "M6", "F1", "F2", "F3", "F4", "F5", "F6"}) {
    const Signal speech = stimulus(name);
    const std::ptrdiff_t step = std::array{4800, 6400, 8000}.at(seed % 3);
    const auto middle = static_cast<std::ptrdiff_t>(speech.size() / 2);
    const Capture capture = with_step(around(speech, MarksFound::both, seed++), middle, step);
    const Measurement m = measure(capture, speech);
    const Score searched = Scorer().score(speech, capture.recording);
    EXPECT_GE(m.mos_lqo.value_or(0), searched.mos_lqo.value() - 1e-3) << name << ' ' << step;
    EXPECT_GT(m.mos_lqo.value_or(0), 2) << name << ' ' << step;
    EXPECT_EQ(Scorer().score(speech, capture.recording, m.placement).mos_lqo, m.mos_lqo) << "as reported";
  }
}

TEST_F(MeasureCapture, WithoutTheTrailingMarkAStepWithinTheSpeechIsFound) {
  for (const char* name : {"M1", "F3"}) {
    const Signal speech = stimulus(name);
    const auto middle = static_cast<std::ptrdiff_t>(speech.size() / 2);
    Capture capture = with_step(around(speech, MarksFound::leading_only), middle, 3200);
    capture.delay_step.reset();
    capture.recording.samples.resize(capture.recording.size() + 8000, 0.0F);
    const Measurement m = measure(capture, speech);
    EXPECT_GE(m.mos_lqo.value_or(0), Scorer().score(speech, capture.recording).mos_lqo.value() - 1e-3) << name;
    EXPECT_GT(m.mos_lqo.value_or(0), 2) << name;
    EXPECT_NEAR(m.delay_step_ms.value_or(0), 400, 2);
    EXPECT_THAT(m.note, ::testing::HasSubstr("by the speech alone"));
  }
}

// The search alone takes another part of F3's first second for the one before the step.
TEST_F(MeasureCapture, AStepWithTwoKnownDelaysIsFound) {
  const Signal speech = stimulus("F3");
  constexpr std::ptrdiff_t kPause = 11360, kStep = 4800;
  for (const MarksFound marks : {MarksFound::both, MarksFound::leading_only}) {
    Capture capture = with_step(around(speech, marks), kPause, kStep);
    if (marks != MarksFound::both) capture.delay_step.reset();
    capture.recording.samples.resize(capture.recording.size() + 4000, 0.0F);
    const Measurement m = measure(capture, speech);
    EXPECT_GT(m.mos_lqo.value_or(0), 2.8) << to_string(marks);
    EXPECT_NEAR(m.delay_step_ms.value_or(0), 600, 1) << to_string(marks);
    ASSERT_TRUE(m.placement);
    EXPECT_EQ(Scorer().score(speech, capture.recording, m.placement).mos_lqo, m.mos_lqo) << "as reported";
  }
}

TEST_F(MeasureCapture, WithoutTheTrailingMarkAShortStepWithinTheSpeechIsFound) {
  for (const char* name : {"M1", "M3", "F4", "F5"}) {
    const Signal speech = stimulus(name);
    for (const double part : {0.3, 0.5, 0.7}) {
      const auto at = static_cast<std::ptrdiff_t>(part * static_cast<double>(speech.size()));
      Capture capture = with_step(around(speech, MarksFound::leading_only), at, 800);
      capture.delay_step.reset();
      const Measurement m = measure(capture, speech);
      EXPECT_GE(m.mos_lqo.value_or(0), Scorer().score(speech, capture.recording).mos_lqo.value() - 0.05)
          << name << ' ' << part;
    }
  }
}

TEST_F(MeasureCapture, WithUndecodableMarksSpeechIsFoundAfterAnyStep) {
  const Signal speech = stimulus("M1");
  for (const std::ptrdiff_t step : {2400, 4800, -2400}) {
    for (const std::ptrdiff_t at : {step < 0 ? step - 100 : -200, std::ptrdiff_t{24000}}) {
      Capture capture = with_step(around(speech, MarksFound::both), at, step);
      capture.data_confirmed = false;
      const Measurement m = measure(capture, speech);
      EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
      EXPECT_GT(m.mos_lqo.value_or(0), 2.5) << step << " at " << at;
      EXPECT_EQ(measure(capture, stimulus("F5")).outcome, Outcome::not_found) << "another sentence is not found";
    }
  }
}

TEST_F(MeasureCapture, WithoutTheTrailingMarkMissingSpeechStaysMissing) {
  const Signal speech = stimulus("M1");
  for (const double part : {0.0, 0.5}) {
    Signal came = speech;
    std::fill(came.samples.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(speech.size())),
              came.samples.end(), 0.0F);
    const Capture capture = around(came, MarksFound::leading_only);
    const Measurement m = measure(capture, speech);
    const Score placed = Scorer().score(speech, capture.recording, KnownPlacement{4000, 0});
    EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
    EXPECT_NEAR(m.mos_lqo.value_or(0), placed.mos_lqo.value(), 0.05) << part;
    EXPECT_FALSE(m.delay_step_ms);
    EXPECT_THAT(m.reason, ::testing::HasSubstr("a mark is lost, too")) << "it may have arrived later";
  }
}

TEST_F(MeasureCapture, AfterAStepMissingSpeechStaysMissing) {
  const Signal speech = stimulus("M1");
  const Signal silence{std::vector<float>(speech.size(), 0.0F), kLineRateHz};
  for (const Signal& other : {silence, test::noise(0.05, speech.seconds(), 8), stimulus("F5")}) {
    for (const std::ptrdiff_t step : {800, -480, 5600}) {
      const Measurement m = measure(with_step(around(other, MarksFound::both), -200, step), speech);
      EXPECT_EQ(m.outcome, Outcome::scored) << m.reason;
      EXPECT_LT(m.mos_lqo.value_or(5), 1.6) << step;
    }
  }
}

TEST_F(MeasureCapture, AStepThatTheMarksDoNotShowIsFoundByTheSpeech) {
  const Signal speech = stimulus("F1");
  for (const MarksFound marks : {MarksFound::both, MarksFound::leading_only}) {
    for (const double step : {-800.0, 480.0, 800.0, 3200.0}) {
      Capture capture = around(speech, marks);
      // The leading mark's position is `step` before the speech: the delay stepped back before the trailing mark, or
      // that mark is lost.
      capture.speech_start = 4000 - step;
      capture.recording.samples.resize(capture.recording.size() + 4000, 0.0F);
      const Measurement m = measure(capture, speech);
      EXPECT_GT(m.mos_lqo.value_or(0), 4.3) << to_string(marks) << ' ' << step;
      EXPECT_NEAR(m.delay_step_ms.value_or(0), step / 8, 0.2);
      ASSERT_TRUE(m.placement);
      EXPECT_EQ(Scorer().score(speech, capture.recording, m.placement).mos_lqo, m.mos_lqo) << "as reported";
    }
  }
}

TEST_F(MeasureCapture, WithoutAStepTheLeadingMarkGivesThePosition) {
  const Signal speech = stimulus("M1");
  const Measurement m = measure(around(speech, MarksFound::both), speech);
  ASSERT_TRUE(m.placement);
  EXPECT_EQ(m.placement->start_samples, 4000.0);
  EXPECT_EQ(m.placement->uncertainty_s, KnownPlacement().uncertainty_s);
  EXPECT_FALSE(m.delay_step_ms);
  EXPECT_TRUE(m.note.empty());
}

TEST_F(MeasureCapture, TheConfidenceOfTheMarksIsPassedOn) {
  const Signal speech = stimulus("M1");
  Capture capture = around(speech, MarksFound::both);
  capture.leading_confidence = 0.9;
  capture.trailing_confidence = 0.8;
  const Measurement m = measure(capture, speech);
  EXPECT_EQ(m.leading_confidence, 0.9);
  EXPECT_EQ(m.trailing_confidence, 0.8);
}

}  // namespace
}  // namespace vqas
