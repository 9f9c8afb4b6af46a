#include "node/measure_capture.h"

#include <cmath>
#include <string>

#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

constexpr std::size_t kClippedRun = 4;
constexpr float kClippedAmplitude = 32766.0F / 32768.0F;

// Without a mark, speech that the score cannot find was not found; a score that was found on its own stays one.
Outcome outcome_without_marks(Outcome outcome) {
  const bool nothing =
      outcome == Outcome::not_aligned || outcome == Outcome::no_speech || outcome == Outcome::too_short;
  return nothing ? Outcome::not_found : outcome;
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
  measurement.clock_drift_ppm = capture.clock_drift_ppm;
  if (is_clipped(capture.recording)) {
    measurement.outcome = Outcome::clipped_input;
    measurement.reason = "the receiver's input is overdriven: lower its recording level";
    return measurement;
  }
  const bool marked = capture.marks != MarksFound::none && capture.speech_start;
  std::optional<KnownPlacement> placement;
  if (marked) placement = KnownPlacement{*capture.speech_start, capture.clock_drift_ppm.value_or(0)};
  const Score score = scorer.score(reference, capture.recording, placement);
  measurement.outcome = marked ? score.outcome : outcome_without_marks(score.outcome);
  measurement.reason = score.reason;
  if (measurement.outcome == Outcome::not_found) {
    measurement.reason = "no mark was found, and no speech: " + score.reason;
  }
  measurement.mos_lqo = score.mos_lqo;
  measurement.auditory_distance = score.auditory_distance;
  measurement.level_difference_db = score.level_difference_db;
  if (!measurement.clock_drift_ppm && score.outcome == Outcome::scored) {
    measurement.clock_drift_ppm = score.clock_drift_ppm;
  }
  return measurement;
}

}  // namespace vqas
