#include "node/measure_capture.h"

#include <cmath>
#include <string>

#include "vqas/node/finding_fields.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

constexpr std::size_t kClippedRun = 4;
constexpr float kClippedAmplitude = 32766.0F / 32768.0F;

// What a found place may be off by; a line's delay may step by more between mark and speech, and is then not believed.
constexpr double kPlaceTolerance_s = 0.3;
// What the speech and the marks may differ by; the speech's own standard error is up to 10 ppm.
constexpr double kSameDrift_ppm = 30;

// Where no mark says what was sent, speech that the score does not recognise was not found.
Outcome outcome_by_speech(Outcome outcome) {
  const bool nothing =
      outcome == Outcome::not_aligned || outcome == Outcome::no_speech || outcome == Outcome::too_short;
  return nothing ? Outcome::not_found : outcome;
}

// The marks' drift, unless a step of the delay between the marks may have made it: then what the speech itself shows.
std::optional<double> drift_of(const Capture& capture, const Score& score) {
  if (!capture.clock_drift_ppm) return score.clock_drift_ppm;
  if (capture.drift_repeated) return capture.clock_drift_ppm;
  if (!score.clock_drift_ppm) return std::nullopt;
  const bool same = std::fabs(*score.clock_drift_ppm - *capture.clock_drift_ppm) <= kSameDrift_ppm;
  return same ? capture.clock_drift_ppm : score.clock_drift_ppm;
}

std::optional<KnownPlacement> placement_of(const Capture& capture) {
  // Without the mark's data it is not known whose place this is.
  if (capture.marks == MarksFound::none || !capture.speech_start || !capture.data_confirmed) return std::nullopt;
  // A drift that may be a step of the delay is left to the speech to find.
  return KnownPlacement{*capture.speech_start, capture.drift_repeated ? capture.clock_drift_ppm.value_or(0) : 0};
}

// Speech that the score's own search found counts where it can be the one that was sent: whole within what was
// received, and at its mark if there is one. Half a sentence at the window's edge is not half a sentence on the line.
bool in_its_place(const Capture& capture, const Signal& reference, const Score& score) {
  if (!score.delay_ms) return false;
  const double start_s = *score.delay_ms * 1e-3;
  const double spare_s = capture.recording.seconds() - start_s - reference.seconds();
  if (start_s < -kPlaceTolerance_s || spare_s < -kPlaceTolerance_s) return false;
  if (!capture.speech_start) return true;
  return std::fabs(start_s - *capture.speech_start / capture.recording.rate_hz) <= kPlaceTolerance_s;
}

Measurement without_score(Measurement measurement, Outcome outcome, std::string reason) {
  measurement.outcome = outcome;
  measurement.reason = std::move(reason);
  return measurement;
}

}  // namespace

std::string_view to_string(MarksFound marks) {
  switch (marks) {
    case MarksFound::both:
      return "both";
    case MarksFound::leading_only:
      return "leading_only";
    case MarksFound::trailing_only:
      return "trailing_only";
    case MarksFound::none:
      break;
  }
  return "none";
}

Signal as_recorded(const Signal& signal) {
  Signal recorded{{}, signal.rate_hz};
  recorded.samples.reserve(signal.size());
  for (const std::int16_t sample : to_int16(signal)) recorded.samples.push_back(static_cast<float>(sample) / 32768.0F);
  return recorded;
}

bool is_clipped(const Signal& recording) {
  std::size_t run = 0;
  float before = 0;
  for (const float sample : recording.samples) {
    const bool full = std::fabs(sample) >= kClippedAmplitude;
    run = !full ? 0 : (run > 0 && std::signbit(sample) == std::signbit(before) ? run + 1 : 1);
    if (run >= kClippedRun) return true;
    before = sample;
  }
  return false;
}

Measurement measure_capture(const Capture& capture, const Signal& reference, Scorer& scorer) {
  Measurement measurement;
  measurement.sequence = capture.expectation.data.sequence;
  measurement.marks_found = to_string(capture.marks);
  if (capture.recording.samples.empty()) {
    return without_score(measurement, Outcome::not_found, "nothing was received in the time in which it was due");
  }
  if (is_clipped(capture.recording)) {
    return without_score(measurement, Outcome::clipped_input,
                         "the receiver's input is overdriven: lower its recording level");
  }
  if (capture.ambiguous) {
    return without_score(measurement, Outcome::not_found,
                         "its marks were lost together with those of the same stimulus, sent before or after it");
  }
  const std::optional<KnownPlacement> placement = placement_of(capture);
  measurement.placement = placement;
  const Score score = scorer.diagnose(reference, capture.recording, placement);
  const bool marked = capture.marks != MarksFound::none;
  if (!placement) {
    const char* const found = marked
                                  ? "a mark was found that does not say what it belongs to, and its speech is not the "
                                    "expected one: "
                                  : "no mark was found, and no speech: ";
    const Outcome outcome = outcome_by_speech(score.outcome);
    if (outcome == Outcome::not_found) return without_score(measurement, outcome, found + score.reason);
    if (outcome == Outcome::scored && !in_its_place(capture, reference, score)) {
      return without_score(measurement, Outcome::not_found,
                           std::string(found) + "what resembles it lies elsewhere or is cut by the recording's end");
    }
  }
  measurement.outcome = score.outcome;
  measurement.reason = score.reason;
  measurement.mos_lqo = score.mos_lqo;
  measurement.auditory_distance = score.auditory_distance;
  measurement.level_difference_db = score.level_difference_db;
  measurement.clock_drift_ppm = drift_of(capture, score);
  if (score.delay_track.size() > 1) measurement.delay_track = score.delay_track;
  measurement.findings = findings_of(score);
  return measurement;
}

}  // namespace vqas
