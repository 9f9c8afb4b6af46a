#include "receive/measure_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "receive/device_notes.h"
#include "receive/upper_band.h"
#include "vqas/run/finding_fields.h"
#include "vqas/run/narrow_path.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

constexpr double kClipped_s = 0.5e-3;  // 4 samples at 8 kHz
constexpr float kClippedAmplitude = 32766.0F / 32768.0F;

// Largest error of a position found; a line's delay may step by more between mark and speech, and is then not believed.
constexpr double kPlaceTolerance_s = 0.3;
// Largest difference between the drifts of speech and marks; the speech's own standard error is up to 10 ppm.
constexpr double kSameDrift_ppm = 30;

// If no mark says what was sent, speech that the score does not recognise was not found.
Outcome outcome_by_speech(Outcome outcome) {
  const bool nothing =
      outcome == Outcome::not_aligned || outcome == Outcome::no_speech || outcome == Outcome::too_short;
  return nothing ? Outcome::not_found : outcome;
}

// The score's reasons advise on two files. A line's operator has none, and the fault is the line's.
std::string reason_on_line(const Score& score) {
  if (score.reason.find("degraded recording") == std::string::npos) return score.reason;
  switch (score.outcome) {
    case Outcome::not_aligned:
      return "what was received does not match the sentence that was sent; the line was too disturbed, or carried "
             "something else";
    case Outcome::no_speech:
      return "what was received is silent or too weak; check the call, the connection and the levels";
    case Outcome::too_short:
      return "hardly anything was received; see whether the call was up and whether a node lost samples";
    default:
      return score.reason;
  }
}

// The marks' drift, unless a step of the delay between the marks may have caused it: then that of the speech itself.
std::optional<double> drift_of(const Capture& capture, bool is_clock, const Score& score) {
  if (!capture.clock_drift_ppm) return score.clock_drift_ppm;
  if (is_clock) return capture.clock_drift_ppm;
  if (!score.clock_drift_ppm) return std::nullopt;
  const bool same = std::fabs(*score.clock_drift_ppm - *capture.clock_drift_ppm) <= kSameDrift_ppm;
  return same ? capture.clock_drift_ppm : score.clock_drift_ppm;
}

// How far the speech may be from its position without having moved; the score searches that far.
constexpr double kReach_s = KnownPlacement().uncertainty_s;
// Speech found this close to the end of the searched range may lie beyond it.
constexpr double kEdge_ms = 2;

// Of the recording.
double in_ms(double samples, const Capture& capture) {
  return samples * 1e3 / capture.recording.rate_hz;
}

// By the marks, whatever they belong to.
std::optional<KnownPlacement> placement_of(const Capture& capture) {
  if (capture.marks == MarksFound::none || !capture.speech_start) return std::nullopt;
  // A drift that may be a step of the delay is left for the speech to find.
  const double drift_ppm = capture.drift_repeated ? capture.clock_drift_ppm.value_or(0) : 0;
  KnownPlacement placement{*capture.speech_start, drift_ppm, kReach_s};
  if (capture.delay_step) {
    // It is unknown where between the marks the delay stepped: the speech lies between both marks' positions.
    placement.start_samples += *capture.delay_step / 2;
    placement.uncertainty_s += std::fabs(*capture.delay_step) / 2 / capture.recording.rate_hz;
    placement.step = PlacesOfStep{*capture.speech_start, *capture.speech_start + *capture.delay_step};
  }
  return placement;
}

// Half a sentence at the window's edge may be complete on the line.
bool is_whole(const Capture& capture, const Signal& reference, const Score& score) {
  if (!score.delay_ms) return false;
  const double start_s = *score.delay_ms * 1e-3;
  const double spare_s = capture.recording.seconds() - start_s - reference.seconds();
  return start_s >= -kPlaceTolerance_s && spare_s >= -kPlaceTolerance_s;
}

// Speech found by the score's own search counts if it can be the one that was sent: completely within the recording,
// and at its mark if there is one.
bool in_its_place(const Capture& capture, const Signal& reference, const Score& score) {
  if (!is_whole(capture, reference, score)) return false;
  if (!capture.speech_start) return true;
  const double behind_s = *score.delay_ms * 1e-3 - *capture.speech_start / capture.recording.rate_hz;
  const double step_s = capture.delay_step.value_or(0) / capture.recording.rate_hz;
  return behind_s >= std::min(0.0, step_s) - kPlaceTolerance_s && behind_s <= std::max(0.0, step_s) + kPlaceTolerance_s;
}

// In ms of the recording.
struct Window {
  double first_ms = 0, last_ms = 0;
};

Window window_of(const KnownPlacement& placement, const Capture& capture) {
  const double start_ms = in_ms(placement.start_samples / (1 + placement.clock_drift_ppm * 1e-6), capture);
  return {start_ms - placement.uncertainty_s * 1e3, start_ms + placement.uncertainty_s * 1e3};
}

// A position in the recording, by the marks' clock.
double in_samples(double delay_ms, const KnownPlacement& placement, const Capture& capture) {
  return delay_ms * capture.recording.rate_hz / 1e3 * (1 + placement.clock_drift_ppm * 1e-6);
}

bool lies_within(const Score& score, const Window& window) {
  return score.delay_ms && std::ranges::all_of(score.delay_track, [&window](const DelayPiece& piece) {
           return piece.delay_ms > window.first_ms + kEdge_ms && piece.delay_ms < window.last_ms - kEdge_ms;
         });
}

struct PlacedScore {
  Score score;
  std::optional<KnownPlacement> placement;  // nothing: everything received was searched
};

// By the waveforms alone: an alignment chosen by the score that it yields would make scores too good.
bool is_likelier(const Score& one, const Score& other) {
  return one.delay_ms && one.alignment_evidence && other.alignment_evidence &&
         *one.alignment_evidence > *other.alignment_evidence;
}

// This much missing speech may have moved elsewhere.
constexpr double kMuchMissing_ms = 200;

bool misses_much(const Score& score) {
  return score.indices ? score.indices->missing.total_ms() > kMuchMissing_ms : !score.delay_ms;
}

// Without its trailing mark it is unknown whether missing speech was lost or arrived at another time.
std::string ambiguity_without_mark(const Score& score) {
  const std::string missing = score.indices
                                  ? fmt::format("{:.1f} s of the speech was", score.indices->missing.total_ms() * 1e-3)
                                  : "the speech was";
  return missing +
         " not found, and a mark is lost, too: either it is lost, or the line's delay stepped in a way that was not "
         "recognised; listen to the recording";
}

// The marks do not show a delay that stepped and stepped back between them, and one mark alone shows no step. So speech
// that is not at its position is searched for in everything received. If it is recognised there as the expected
// sentence, complete, and more of its waveform agrees, then the line's delay moved. Missing speech stays missing.
PlacedScore score_at(const KnownPlacement& placement, const Capture& capture, const Signal& reference, Scorer& scorer) {
  PlacedScore placed{scorer.diagnose(reference, capture.recording, placement), placement};
  Window window = window_of(placement, capture);
  if (placed.score.outcome != Outcome::scored) return placed;
  // Speech divided by a long step is not always found between the marks' two positions, and without the trailing mark
  // no step is known.
  const bool lost_mark = capture.marks != MarksFound::both;
  if (!capture.delay_step && !lost_mark && lies_within(placed.score, window)) return placed;
  const Score found = scorer.score(reference, capture.recording);
  if (found.outcome != Outcome::scored || !is_whole(capture, reference, found)) return placed;
  // Speech at its due position is better known there.
  const bool elsewhere =
      capture.delay_step || (lost_mark && (!lies_within(found, window) || misses_much(placed.score)));
  if (!lies_within(found, window)) {
    for (const DelayPiece& piece : found.delay_track) {
      window.first_ms = std::min(window.first_ms, piece.delay_ms - kReach_s * 1e3);
      window.last_ms = std::max(window.last_ms, piece.delay_ms + kReach_s * 1e3);
    }
    KnownPlacement wider = placement;
    wider.start_samples = in_samples((window.first_ms + window.last_ms) / 2, placement, capture);
    wider.uncertainty_s = (window.last_ms - window.first_ms) / 2e3;
    // The leading mark's position holds until the delay steps, and the search knows where most of the speech went.
    if (!wider.step) wider.step = PlacesOfStep{*capture.speech_start, in_samples(*found.delay_ms, placement, capture)};
    PlacedScore moved{scorer.diagnose(reference, capture.recording, wider), wider};
    if (is_likelier(moved.score, placed.score)) placed = std::move(moved);
  }
  if (elsewhere && is_likelier(found, placed.score)) {
    return {scorer.diagnose(reference, capture.recording), std::nullopt};
  }
  return placed;
}

// How far after its leading mark's position the speech was found.
std::optional<double> moved_ms(const Capture& capture, const Score& score) {
  if (!capture.speech_start || !score.delay_ms) return std::nullopt;
  return *score.delay_ms - in_ms(*capture.speech_start, capture);
}

// The step of the delay after the leading mark, as shown by speech that was not at its due position.
std::optional<double> step_by_speech(const Capture& capture, const Score& score) {
  std::optional<double> most;
  for (const DelayPiece& piece : score.delay_track) {
    const double moved = piece.delay_ms - in_ms(*capture.speech_start, capture);
    if (!most || std::fabs(moved) > std::fabs(*most)) most = moved;
  }
  if (const auto moved = moved_ms(capture, score); moved && !most) most = moved;
  return most && std::fabs(*most) > kReach_s * 1e3 ? most : std::nullopt;
}

// The speech shows that the marks' distance is not due to the clocks: a repeated step, or a guard interval.
bool contradicts(const Score& score, const Capture& capture) {
  return capture.drift_repeated && capture.clock_drift_ppm && score.clock_drift_ppm &&
         std::fabs(*score.clock_drift_ppm - *capture.clock_drift_ppm) > kSameDrift_ppm;
}

// A gateway or a telephone's codec is on the way: the score is true, and says that no HD voice arrives.
std::string narrow_path_in_words(const Measurement& measurement, const Capture& capture, const Signal& reference) {
  if (measurement.mode == ScoreMode::narrowband || !measurement.mos_lqo || !capture.speech_start) return {};
  const SignalView all(capture.recording);
  const auto start = static_cast<std::size_t>(std::clamp(*capture.speech_start, 0.0, static_cast<double>(all.size())));
  const SignalView speech(all.samples.subspan(start, std::min(reference.size(), all.size() - start)), all.rate_hz);
  if (!lacks_upper_band(speech, reference)) return {};
  return fmt::format("{}: the path is narrowband, which costs 1 to 2 MOS on this scale", kNarrowPath);
}

Measurement without_score(Measurement measurement, Outcome outcome, std::string reason) {
  measurement.outcome = outcome;
  measurement.reason = std::move(reason);
  return measurement;
}

}  // namespace

Signal as_recorded(const Signal& signal) {
  Signal recorded{{}, signal.rate_hz};
  recorded.samples.reserve(signal.size());
  for (const std::int16_t sample : to_int16(signal)) recorded.samples.push_back(static_cast<float>(sample) / 32768.0F);
  return recorded;
}

bool is_clipped(const Signal& recording) {
  const auto longest = static_cast<std::size_t>(std::lround(kClipped_s * recording.rate_hz));
  std::size_t run = 0;
  float before = 0;
  for (const float sample : recording.samples) {
    const bool full = std::fabs(sample) >= kClippedAmplitude;
    run = !full ? 0 : (run > 0 && std::signbit(sample) == std::signbit(before) ? run + 1 : 1);
    if (run >= longest) return true;
    before = sample;
  }
  return false;
}

Measurement measure_capture(const Capture& capture, const Signal& reference, Scorer& scorer) {
  return measure_and_place(capture, reference, scorer).measurement;
}

PlacedMeasurement measure_and_place(const Capture& capture, const Signal& reference, Scorer& scorer) {
  Measurement measurement;
  measurement.sequence = capture.expectation.data.sequence;
  measurement.marks_found = capture.marks;
  measurement.leading_confidence = capture.leading_confidence;
  measurement.trailing_confidence = capture.trailing_confidence;
  if (capture.recording.samples.empty()) {
    return PlacedMeasurement{
        without_score(std::move(measurement), Outcome::not_found, "nothing was received when it was due"), {}};
  }
  if (is_clipped(capture.recording)) {
    return PlacedMeasurement{without_score(std::move(measurement), Outcome::clipped_input,
                                           "the receiver's input is overdriven: lower its recording level"),
                             {}};
  }
  if (capture.ambiguous) {
    return PlacedMeasurement{
        without_score(std::move(measurement), Outcome::not_found,
                      "its marks were lost together with those of the same stimulus, sent before or after it"),
        {}};
  }
  // Without the mark's data it is unknown to which transmission this position belongs.
  std::optional<KnownPlacement> placement = capture.data_confirmed ? placement_of(capture) : std::nullopt;
  Score score;
  bool is_clock = capture.drift_repeated;
  if (placement) {
    PlacedScore placed = score_at(*placement, capture, reference, scorer);
    if (contradicts(placed.score, capture)) {
      is_clock = false;
      placement->clock_drift_ppm = 0;
      placed = score_at(*placement, capture, reference, scorer);
    }
    score = std::move(placed.score);
    measurement.placement = placed.placement;
  } else {
    score = scorer.diagnose(reference, capture.recording);
  }
  const bool marked = capture.marks != MarksFound::none;
  if (!placement) {
    const char* const found =
        marked ? "a mark was found that does not identify its transmission, and its speech is not the "
                 "expected one: "
               : "no mark was found, and no speech: ";
    const Outcome outcome = outcome_by_speech(score.outcome);
    if (outcome == Outcome::not_found)
      return PlacedMeasurement{without_score(std::move(measurement), outcome, found + reason_on_line(score)), {}};
    if (outcome == Outcome::scored && !in_its_place(capture, reference, score)) {
      return PlacedMeasurement{
          without_score(std::move(measurement), Outcome::not_found,
                        std::string(found) + "similar speech lies elsewhere or is cut by the recording's end"),
          {}};
    }
    // The speech is the expected one, so the marks belong to it, and if they show a step they give both delays.
    if (outcome == Outcome::scored && capture.delay_step) {
      const auto between = placement_of(capture);
      Score placed = scorer.diagnose(reference, capture.recording, between);
      if (is_likelier(placed, score)) {
        score = std::move(placed);
        measurement.placement = between;
      }
    }
  }
  measurement.mode = score.mode;
  measurement.outcome = score.outcome;
  measurement.reason = reason_on_line(score);
  if (score.outcome == Outcome::scored && score.reason.empty() && capture.marks != MarksFound::both &&
      misses_much(score)) {
    measurement.reason = ambiguity_without_mark(score);
  }
  measurement.mos_lqo = score.mos_lqo;
  measurement.auditory_distance = score.auditory_distance;
  measurement.level_difference_db = score.level_difference_db;
  measurement.clock_drift_ppm = drift_of(capture, is_clock, score);
  if (score.delay_track.size() > 1) measurement.delay_track = score.delay_track;
  measurement.findings = findings_of(score);
  const std::string band = narrow_path_in_words(measurement, capture, reference);
  const std::optional<double> moved = moved_ms(capture, score);
  if (capture.delay_step) {
    measurement.delay_step_ms = in_ms(*capture.delay_step, capture);
  } else if (placement) {
    measurement.delay_step_ms = step_by_speech(capture, score);
  }
  if (measurement.delay_step_ms) {
    measurement.note =
        fmt::format("the delay changed by {:+.1f} ms after the leading mark", *measurement.delay_step_ms);
    if (capture.marks != MarksFound::both) measurement.note += ", by the speech alone";
  }
  add_words(measurement.note, band);
  return {std::move(measurement), moved, score.clock_drift_ppm};
}

}  // namespace vqas
