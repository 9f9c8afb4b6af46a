#include "receive/capture_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "receive/measure_capture.h"
#include "run/measurement_limits.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

// Sample n of the copy lies at the time of sample 2n.
Capture at_8_khz(Capture capture) {
  const double scale = static_cast<double>(kLineRateHz) / capture.recording.rate_hz;
  capture.recording = *resample(capture.recording, kLineRateHz);  // both rates are within its limits
  capture.stream_position = static_cast<std::uint64_t>(static_cast<double>(capture.stream_position) * scale);
  if (capture.speech_start) *capture.speech_start *= scale;
  if (capture.delay_step) *capture.delay_step *= scale;
  return capture;
}

}  // namespace

void CaptureJudge::score_as(ScoreMode mode, bool narrowband_too) {
  if (scorer_.mode() != mode) scorer_ = Scorer(mode);
  if (!narrowband_too || mode == ScoreMode::narrowband) {
    narrowband_too_.reset();
  } else if (!narrowband_too_) {
    narrowband_too_.emplace(ScoreMode::narrowband);
  }
}

JudgedCapture CaptureJudge::judge(const Capture& capture, const ReferenceSpeech& reference, const DeviceNotes& notes,
                                  bool no_packets) {
  Capture recorded = capture;
  recorded.recording = as_recorded(capture.recording);
  PlacedMeasurement placed = measure_and_place(recorded, reference.at_line_rate(), scorer_);
  JudgedCapture judged;
  judged.measurement = std::move(placed.measurement);
  judged.speech_moved_ms = placed.speech_moved_ms;
  judged.speech_drift_ppm = placed.speech_drift_ppm;
  judged.recording = recorded.recording;
  // Whether call and device did their work is judged in the telephone band, whatever the score's model.
  if (recorded.recording.rate_hz != kLineRateHz) recorded = at_8_khz(std::move(recorded));
  if (narrowband_too_ && judged.measurement.mos_lqo) {
    judged.measurement.narrowband_mos_lqo =
        measure_and_place(recorded, reference.at_8_khz(), *narrowband_too_).measurement.mos_lqo;
  }
  judge_in_narrowband(recorded, reference.at_8_khz(), notes, no_packets, judged);
  return judged;
}

void CaptureJudge::judge_in_narrowband(const Capture& recorded, const Signal& reference, const DeviceNotes& notes,
                                       bool no_packets, JudgedCapture& judged) {
  if (sender_notes_ == SenderNotes::told) {
    judge_call(recorded, reference, notes, no_packets, judged);
  } else {
    judge_end(recorded, reference, judged);
  }
  judge_line(recorded, reference, notes, judged);
}

void CaptureJudge::judge_call(const Capture& recorded, const Signal& reference, const DeviceNotes& notes,
                              bool no_packets, JudgedCapture& judged) {
  Measurement& measurement = judged.measurement;
  if (const auto gone = call_.gone(recorded, reference.size(), notes.noticed.lost_samples == 0))
    lose_score(measurement, Outcome::line_lost, *gone);
  if (recorded.marks != MarksFound::none || measurement.mos_lqo || recorded.recording.empty()) return;
  judged.heard = judge_idle_input(recorded.recording, no_packets);
  if (measurement.outcome == Outcome::not_found)
    add_words(measurement.reason, in_words(*judged.heard) + " came in its place");
}

// No sender confirms that it was sent completely. If the sender broke it off, it is no score of the line.
void CaptureJudge::judge_end(const Capture& recorded, const Signal& reference, JudgedCapture& judged) const {
  Measurement& measurement = judged.measurement;
  if (recorded.delay_step) add_words(measurement.note, "or the sender's guard interval differs from this end's");
  if (!measurement.mos_lqo) return;
  double start = recorded.speech_start.value_or(0) + judged.speech_moved_ms.value_or(0) * kLineRateHz / 1e3;
  // The end of speech that did not arrive may be laid anywhere, also on what arrived before it: only a later place is
  // believed.
  if (!measurement.delay_track.empty())
    start = std::max(start, measurement.delay_track.back().delay_ms * kLineRateHz / 1e3);
  const auto missing_s = missing_tail_s(recorded, reference, start, measurement.level_difference_db.value_or(0));
  if (!missing_s) return;
  lose_score(
      measurement, Outcome::line_lost,
      fmt::format("its trailing mark and the last {:.2f} s of its speech did not arrive: the sender broke it off, "
                  "or the call was gone",
                  *missing_s));
}

// A score spoilt by this end's device does not count.
void CaptureJudge::judge_line(const Capture& recorded, const Signal& reference, const DeviceNotes& notes,
                              JudgedCapture& judged) {
  if (!notes.real_device && is_uneventful(notes.noticed)) return;
  Measurement& measurement = judged.measurement;
  measurement.line = notes.noticed;
  add_words(measurement.note, notes.about_line);
  judged.clock_offset_ns = notes.clock_offset_ns.value_or(0);
  judged.clock_step_ms = notes.clock_step_ms;
  judged.evidence = evidence_of(notes, recorded, reference, measurement.delay_track);
  // A lost call has nothing to spoil; but a missing end may be what the device lost.
  const bool gone = sender_notes_ == SenderNotes::told && measurement.outcome == Outcome::line_lost;
  if (const auto fault = gone ? std::nullopt : receiving_fault(notes, judged.evidence, drift_))
    return lose_score(measurement, Outcome::audio_fault, *fault);
  if (sender_notes_ == SenderNotes::unknown) add_words(measurement.note, note_in_words(notes.noticed, judged.evidence));
  if (judged.evidence.both && judged.evidence.drift_ppm) drift_.add(*judged.evidence.drift_ppm);
}

}  // namespace vqas
