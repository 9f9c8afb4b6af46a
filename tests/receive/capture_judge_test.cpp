// From a capture to a measurement, for a node whose controller knows both ends and for a listener that has only the
// line.
#include "receive/capture_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "receive/captures.h"
#include "receive/measure_capture.h"

namespace vqas {
namespace {

using test::around;
using test::stimulus;
using ::testing::HasSubstr;

constexpr SenderNotes kBoth[] = {SenderNotes::told, SenderNotes::unknown};

JudgedCapture judge_once(SenderNotes sender, const Capture& capture, const Signal& reference,
                         const DeviceNotes& notes = {}, bool no_packets = false) {
  CaptureJudge judge(sender);
  return judge.judge(capture, ReferenceSpeech(reference), notes, no_packets);
}

DeviceNotes device_notes() {
  DeviceNotes notes;
  notes.real_device = true;
  return notes;
}

/// The speech up to `heard_s`, and silence after it; without its trailing mark.
Capture cut_off(const Signal& speech, double heard_s) {
  Signal came = speech;
  std::fill(came.samples.begin() + static_cast<std::ptrdiff_t>(heard_s * kLineRateHz), came.samples.end(), 0.0F);
  return around(came, MarksFound::leading_only);
}

TEST(CaptureJudge, ACleanCaptureIsOnlyMeasured) {
  const Signal speech = stimulus("M1");
  const Capture capture = around(speech, MarksFound::both);
  Capture recorded = capture;
  recorded.recording = as_recorded(capture.recording);
  Scorer scorer;
  const Measurement alone = measure_capture(recorded, speech, scorer);
  for (const SenderNotes sender : kBoth) {
    const JudgedCapture judged = judge_once(sender, capture, speech);
    EXPECT_EQ(judged.measurement.outcome, Outcome::scored);
    EXPECT_EQ(judged.measurement.mos_lqo, alone.mos_lqo);
    EXPECT_EQ(judged.measurement.auditory_distance, alone.auditory_distance);
    EXPECT_EQ(judged.measurement.sequence, 12U);
    EXPECT_EQ(judged.recording.samples, recorded.recording.samples);
    EXPECT_FALSE(judged.measurement.line);
    EXPECT_FALSE(judged.heard);
    EXPECT_FALSE(judged.evidence.both) << "no evidence is taken where nothing was noticed";
    EXPECT_EQ(judged.measurement.reason, "");
    EXPECT_EQ(judged.measurement.note, "");
  }
}

TEST(CaptureJudge, WithoutDeviceNoticesScoreAndEvidenceStay) {
  const Signal speech = stimulus("F5");
  DeviceNotes notes = device_notes();
  notes.clock_offset_ns = 1234;
  for (const SenderNotes sender : kBoth) {
    const JudgedCapture judged = judge_once(sender, around(speech, MarksFound::both), speech, notes);
    EXPECT_EQ(judged.measurement.outcome, Outcome::scored);
    EXPECT_TRUE(judged.measurement.line);
    EXPECT_EQ(judged.clock_offset_ns, 1234);
    EXPECT_TRUE(judged.evidence.both);
    EXPECT_EQ(judged.evidence.drift_ppm, 0.0);
    EXPECT_EQ(judged.measurement.note, "");
  }
}

TEST(CaptureJudge, ADeviceFaultSpoilsTheScore) {
  const Signal speech = stimulus("M1");
  DeviceNotes notes = device_notes();
  notes.noticed.lost_samples = 80;
  for (const SenderNotes sender : kBoth) {
    const Measurement m = judge_once(sender, around(speech, MarksFound::both), speech, notes).measurement;
    EXPECT_EQ(m.outcome, Outcome::audio_fault);
    EXPECT_FALSE(m.mos_lqo);
    EXPECT_FALSE(m.auditory_distance);
    EXPECT_THAT(m.reason, HasSubstr("10.0 ms of the receiver's input were lost"));
    EXPECT_EQ(m.line->lost_samples, 80U);
  }
}

TEST(CaptureJudge, AnUnusualDriftWithAReportedGapSpoilsTheScore) {
  const Signal speech = stimulus("M1");
  DeviceNotes gap = device_notes();
  gap.noticed.input_overflows = 1;
  for (const SenderNotes sender : kBoth) {
    CaptureJudge judge(sender);
    Capture capture = around(speech, MarksFound::both);
    capture.clock_drift_ppm = 10;
    EXPECT_EQ(judge.judge(capture, ReferenceSpeech(speech), device_notes()).measurement.outcome, Outcome::scored);
    EXPECT_EQ(judge.judge(capture, ReferenceSpeech(speech), gap).measurement.outcome, Outcome::scored)
        << "a flag alone is no fault";
    capture.clock_drift_ppm = 130;
    const Measurement m = judge.judge(capture, ReferenceSpeech(speech), gap).measurement;
    EXPECT_EQ(m.outcome, Outcome::audio_fault);
    EXPECT_THAT(m.reason, HasSubstr("the delay stepped between the marks"));
  }
}

TEST(CaptureJudge, HarmlessGapsAreNotedOnlyWithoutTheSendersNotes) {
  const Signal speech = stimulus("M1");
  DeviceNotes gap = device_notes();
  gap.noticed.input_overflows = 1;
  const Capture capture = around(speech, MarksFound::both);
  EXPECT_EQ(judge_once(SenderNotes::told, capture, speech, gap).measurement.note, "") << "the controller reports it";
  EXPECT_THAT(judge_once(SenderNotes::unknown, capture, speech, gap).measurement.note,
              HasSubstr("no speech is missing"));
}

TEST(CaptureJudge, ACallLostAtTheEndSpoilsTheScore) {
  const Signal speech = stimulus("M1");
  for (const SenderNotes sender : kBoth) {
    Capture capture = cut_off(speech, speech.seconds() / 2);
    const Measurement m = judge_once(sender, capture, speech).measurement;
    EXPECT_EQ(m.outcome, Outcome::line_lost);
    EXPECT_FALSE(m.mos_lqo);
    EXPECT_THAT(m.reason, HasSubstr("the call "));
    capture.marks = MarksFound::both;
    EXPECT_EQ(judge_once(sender, capture, speech).measurement.outcome, Outcome::scored) << "the trailing mark arrived";
  }
}

TEST(CaptureJudge, SilenceInsteadOfATransmissionIsDescribed) {
  const Signal speech = stimulus("M1");
  Capture capture = around(Signal{std::vector<float>(speech.size()), kLineRateHz}, MarksFound::none);
  JudgedCapture judged = judge_once(SenderNotes::told, capture, speech);
  EXPECT_EQ(judged.measurement.outcome, Outcome::line_lost);
  ASSERT_TRUE(judged.heard);
  EXPECT_EQ(judged.heard->kind, IdleInput::Kind::quiet);
  judged = judge_once(SenderNotes::told, capture, speech, {}, true);
  EXPECT_EQ(judged.heard->kind, IdleInput::Kind::no_packets);
  capture.recording = test::noise(0.05, speech.seconds() + 1, 3);
  judged = judge_once(SenderNotes::told, capture, speech);
  EXPECT_EQ(judged.measurement.outcome, Outcome::not_found);
  EXPECT_THAT(judged.measurement.reason, HasSubstr("came in its place"));
  EXPECT_FALSE(judge_once(SenderNotes::unknown, capture, speech).heard);
}

TEST(CaptureJudge, SilenceAfterATransmissionWithoutMarksIsALostCallOnlyInANewRound) {
  const Signal speech = stimulus("M1");
  const Capture silent = around(Signal{std::vector<float>(speech.size()), kLineRateHz}, MarksFound::none);
  Capture noisy = silent;
  noisy.recording = test::noise(0.05, speech.seconds() + 1, 3);
  CaptureJudge judge(SenderNotes::told);
  EXPECT_EQ(judge.judge(noisy, ReferenceSpeech(speech), {}).measurement.outcome, Outcome::not_found);
  EXPECT_EQ(judge.judge(silent, ReferenceSpeech(speech), {}).measurement.outcome, Outcome::not_found);
  judge.begin_round();
  EXPECT_EQ(judge.judge(silent, ReferenceSpeech(speech), {}).measurement.outcome, Outcome::line_lost);
}

TEST(CaptureJudge, ALostCallOverridesADeviceFault) {
  const Signal speech = stimulus("M1");
  DeviceNotes notes = device_notes();
  notes.lag_ms = 20;
  const Capture capture = cut_off(speech, speech.seconds() / 2);
  EXPECT_EQ(judge_once(SenderNotes::told, capture, speech, notes).measurement.outcome, Outcome::line_lost);
  EXPECT_EQ(judge_once(SenderNotes::unknown, capture, speech, notes).measurement.outcome, Outcome::audio_fault)
      << "the device may have lost the end";
}

TEST(CaptureJudge, WithoutTheSendersNotesAStepMayBeAnotherGuardInterval) {
  const Signal speech = stimulus("M1");
  Capture capture = around(speech, MarksFound::both);
  capture.clock_drift_ppm.reset();
  capture.delay_step = 800;
  EXPECT_THAT(judge_once(SenderNotes::unknown, capture, speech).measurement.note, HasSubstr("guard interval differs"));
  EXPECT_THAT(judge_once(SenderNotes::told, capture, speech).measurement.note,
              ::testing::Not(HasSubstr("guard interval differs")));
}

}  // namespace
}  // namespace vqas
