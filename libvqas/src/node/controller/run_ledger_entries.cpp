// How the reports on a transmission become a measurement in the results.
#include <fmt/format.h>

#include <algorithm>

#include "node/controller/run_ledger.h"
#include "run/measurement_limits.h"
#include "vqas/run/call_levels.h"

namespace vqas {
namespace {

// A transmission spoilt by the sender's device gets no score of the line.
void judge_sender(DirectionLedger& direction, const TransmissionParts& parts, Measurement& measurement) {
  const CaptureEvidence& evidence = parts.received->evidence;
  if (parts.played) {
    if (!measurement.line) measurement.line.emplace();
    measurement.echo_delay_ms = parts.played->echo_delay_ms;
    measurement.echo_return_loss_db = parts.played->echo_return_loss_db;
    const LineStatistics& out = parts.played->noticed;
    measurement.line->output_overflows = out.output_overflows;
    measurement.line->output_underflows = out.output_underflows;
    measurement.line->inserted_samples = out.inserted_samples;
    measurement.line->unsent_samples = out.unsent_samples;
    measurement.line->sent_late_ms = out.sent_late_ms;
    // The sender's reports are on this direction, the receiver's on the other one.
    measurement.line->far = out.far;
    const bool gone = measurement.outcome == Outcome::line_lost;
    if (const auto fault = sending_fault(*parts.played, evidence, direction.drift()); fault && !gone)
      lose_score(measurement, Outcome::audio_fault, *fault);
  }
  if (measurement.outcome == Outcome::audio_fault) return;
  if (measurement.line) add_words(measurement.note, note_in_words(*measurement.line, evidence));
  if (evidence.both && evidence.drift_ppm) direction.drift().add(*evidence.drift_ppm);
}

}  // namespace

// Scores at two levels are not comparable as one line.
void RunLedger::note_level(std::size_t direction, Measurement& measurement) const {
  if (measurement.call == 1 || !measurement.mos_lqo) return;
  DirectionRun with = results_.directions[direction];
  with.stimuli.push_back({"", {measurement}, {}, {}});
  const auto words = level_change_in_words(call_levels(with).back());
  if (words) add_words(measurement.note, "the call was redialled, and its level is " + *words);
}

// A call that never existed cannot be lost.
void RunLedger::tell_never_heard(std::size_t direction, const TransmissionParts& parts,
                                 Measurement& measurement) const {
  const DirectionRun& run = results_.directions[direction];
  const std::string what = parts.received->heard ? in_words(*parts.received->heard) : std::string("silence");
  lose_score(measurement, Outcome::not_found,
             fmt::format("no mark of {} has come to {} yet: {}", name_of(run.from), name_of(run.to()), what));
  measurement.call = 0;
}

RunLedger::Place RunLedger::enter(std::size_t d, const Planned& planned, const TransmissionParts& parts) {
  DirectionLedger& direction = directions_[d];
  Measurement measurement = parts.received->measurement;
  measurement.recording = *parts.recording;
  direction.note_clocks(parts);
  judge_sender(direction, parts, measurement);
  // If a machine lost or inserted samples, its times are not those of the signal.
  if (measurement.outcome != Outcome::audio_fault)
    add_words(measurement.note, delays_.add(d, results_.directions[d].from == End::a, parts, measurement));
  // Silence from a dead sender node is no sign of a lost call.
  const bool broken_off =
      parts.may_be_broken_off() || (direction.is_unconfirmed(parts) && measurement.outcome == Outcome::line_lost);
  if (broken_off)
    lose_score(measurement, abandoned_as_,
               "neither its sender nor a trailing mark confirms that it was sent completely");
  const bool never_heard = !broken_off && !direction.heard() && measurement.outcome == Outcome::line_lost;
  measurement.call = call_;
  if (never_heard) tell_never_heard(d, parts, measurement);
  direction.note_heard(measurement);
  note_level(d, measurement);
  direction.count(planned.stimulus, measurement, rules_);
  StimulusRun& run = results_.directions[d].stimuli[planned.stimulus];
  put(run, std::move(measurement));
  run.interval = direction.sampler().interval(planned.stimulus);
  return {d, planned.stimulus, broken_off, never_heard};
}

// A receiver's report replaces an entry as lost.
void RunLedger::put(StimulusRun& run, Measurement measurement) {
  const auto lost = std::ranges::find(run.measurements, measurement.sequence, &Measurement::sequence);
  if (lost != run.measurements.end()) {
    run.measurements.erase(lost);
  } else {
    ++measured_;
  }
  run.measurements.push_back(std::move(measurement));
}

std::optional<RunLedger::Place> RunLedger::settle_next(bool last) {
  for (std::size_t d = 0; d < directions(); ++d) {
    const auto complete = directions_[d].take_complete(last, rules_, {delays_, d, time_});
    if (!complete) continue;
    if (!complete->sent) return settle_next(last);
    directions_[d].settle(time_.about(complete->planned.stimulus));
    return enter(d, complete->planned, complete->parts);
  }
  return std::nullopt;
}

RunLedger::Place RunLedger::lose(std::size_t direction, const Planned& planned, const std::string& reason) {
  Measurement measurement;
  measurement.sequence = planned.sequence;
  measurement.outcome = abandoned_as_;
  measurement.reason = reason;
  measurement.call = call_;
  directions_[direction].drop(planned.sequence);
  put(results_.directions[direction].stimuli[planned.stimulus], std::move(measurement));
  return {direction, planned.stimulus, true};
}

}  // namespace vqas
