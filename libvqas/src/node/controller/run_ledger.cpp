#include "node/controller/run_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "run/measurement_limits.h"
#include "vqas/run/call_levels.h"
#include "vqas/sampling/certain.h"

namespace vqas {
namespace {

void add_note(Measurement& measurement, const std::string& note) {
  if (!measurement.note.empty() && !note.empty()) measurement.note += "; ";
  measurement.note += note;
}

// Something of the other end has come.
bool is_heard(const Measurement& measurement) {
  return measurement.mos_lqo || (!measurement.marks_found.empty() && measurement.marks_found != "none");
}

}  // namespace

RunLedger::RunLedger(const RunPlan& plan, const std::vector<std::string>& stimuli) : stimuli_(stimuli) {
  results_.seed = plan.seed;
  results_.guard_s = plan.guard_s;
  results_.sampling = plan.sampling;
  cap_line_time_s_ = plan.cap_line_time_s;
  if (plan.a_to_b) results_.directions.push_back({"a", "b", {}});
  if (plan.b_to_a) results_.directions.push_back({"b", "a", {}});
  for (DirectionRun& direction : results_.directions) {
    for (const std::string& stimulus : stimuli) {
      StimulusRun run;
      run.stimulus = stimulus;
      direction.stimuli.push_back(run);
    }
  }
  const std::size_t count = results_.directions.size();
  samplers_.assign(count, std::vector<Sampler>(stimuli.size(), Sampler(plan.sampling)));
  line_seconds_.assign(stimuli.size(), 1);
  settled_s_.assign(count, 0);
  asked_.assign(count, std::vector<std::size_t>(stimuli.size(), 0));
  due_.resize(count);
  parts_.resize(count);
  next_sequence_.assign(count, 1);
  planned_s_.assign(count, 0);
  wants_played_.assign(count, false);
  last_found_.assign(count, true);
  heard_.assign(count, false);
  drift_.resize(count);
  apparent_.resize(count);
  behind_.resize(count);
  clocks_apart_ns_.assign(count, 0);
  conclude();
}

void RunLedger::restore(const RunContinuation& earlier) {
  const SessionRecord& session = earlier.session;
  const std::size_t count = std::min(directions(), earlier.so_far.directions.size());
  for (std::size_t d = 0; d < count; ++d) {
    std::set<std::uint32_t> known, counted;
    const auto& runs = earlier.so_far.directions[d].stimuli;
    for (std::size_t s = 0; s < std::min(stimuli_.size(), runs.size()); ++s) {
      StimulusRun& run = results_.directions[d].stimuli[s];
      for (const Measurement& one : runs[s].measurements) {
        run.measurements.push_back(one);
        planned_s_[d] += seconds_of(std::vector{Planned{s, one.sequence}});
        counted.insert(one.sequence);
        ++measured_;
        call_ = std::max(call_, one.call);
        next_sequence_[d] = std::max(next_sequence_[d], one.sequence + 1);
        heard_[d] = heard_[d] || is_heard(one);
        if (was_given_up(one)) continue;
        known.insert(one.sequence);
        if (one.mos_lqo) {
          samplers_[d][s].add_score(*one.mos_lqo);
        } else {
          samplers_[d][s].add_failure();
        }
      }
      run.interval = samplers_[d][s].interval();
    }
    if (d < session.next_sequence.size()) next_sequence_[d] = std::max(next_sequence_[d], session.next_sequence[d]);
    if (d >= session.due.size()) continue;
    for (const auto& [stimulus, sequence] : session.due[d]) {
      if (stimulus >= stimuli_.size() || known.contains(sequence)) continue;
      due_[d].push_back({stimulus, sequence});
      if (!counted.contains(sequence)) planned_s_[d] += seconds_of({due_[d].back()});
    }
  }
  rounds_ = session.rounds;
}

void RunLedger::describe(SessionRecord& record) const {
  record.rounds = rounds_;
  record.next_sequence = next_sequence_;
  record.due.assign(directions(), {});
  for (std::size_t d = 0; d < directions(); ++d) {
    for (const Planned& one : due_[d]) record.due[d].emplace_back(one.stimulus, one.sequence);
  }
}

// A receiver waits from when it was told; over a link that hangs its sender may have been told later than that lasts.
// The two clocks need not agree, but transmissions that were found tell how they lie to each other.
bool RunLedger::was_not_sent(std::size_t direction, const Parts& parts) const {
  if (!departures_needed_ || !parts.received) return false;
  const Outcome outcome = parts.received->measurement.outcome;
  if (outcome != Outcome::not_found && outcome != Outcome::line_lost) return false;
  const std::optional<Behind>& behind = behind_[direction];
  // Times before those of the last one that was found are of a clock that began anew.
  if (parts.left && parts.received->heard_until_ns && behind && parts.left->left_at_ns >= behind->left_ns)
    return parts.left->left_at_ns + behind->ns > *parts.received->heard_until_ns;
  return !parts.left || parts.unsent;
}

void RunLedger::forget_missing() {
  for (std::size_t d = 0; d < directions(); ++d) {
    std::erase_if(due_[d], [&](const Planned& one) {
      const auto parts = parts_[d].find(one.sequence);
      if (parts != parts_[d].end() && parts->second.received) return false;
      if (parts != parts_[d].end()) parts_[d].erase(parts);
      planned_s_[d] -= seconds_of({one});
      return true;
    });
  }
}

std::uint32_t RunLedger::least_due() const {
  std::uint32_t least = kLastSequence;
  for (const auto& due : due_) {
    for (const Planned& one : due) least = std::min(least, one.sequence);
  }
  return least;
}

bool RunLedger::received(std::size_t direction, const ReceivedMeasurement& received, bool sender_tells) {
  for (const Planned& one : due_[direction]) {
    if (one.sequence != received.measurement.sequence) continue;
    Parts& parts = parts_[direction][one.sequence];
    if (parts.received || stimuli_[one.stimulus] != received.stimulus) return false;
    parts.received = received;
    parts.unsent = sender_tells && !parts.left;
    const Outcome outcome = received.measurement.outcome;
    last_found_[direction] = outcome != Outcome::not_found && outcome != Outcome::line_lost;
    round_begun_ = true;
    if (received.measurement.recording.empty()) parts.recording = "";
    return true;
  }
  return false;
}

bool RunLedger::is_due(std::size_t direction, std::uint32_t sequence) const {
  return std::ranges::any_of(due_[direction], [sequence](const Planned& one) { return one.sequence == sequence; });
}

void RunLedger::left(std::size_t direction, const DepartureNotice& departure) {
  if (!is_due(direction, departure.sequence)) return;
  for (auto& [sequence, before] : parts_[direction]) {
    if (sequence < departure.sequence && before.left) before.whole = true;
  }
  Parts& parts = parts_[direction][departure.sequence];
  parts.left = departure;
  if (departure.played) parts.played = departure.played->notes;
  round_begun_ = true;
}

void RunLedger::played(std::size_t direction, const PlayedNotice& played) {
  if (is_due(direction, played.sequence)) parts_[direction][played.sequence].played = played.notes;
}

void RunLedger::sender_finished(std::size_t direction) {
  for (auto& [sequence, parts] : parts_[direction]) parts.whole = parts.whole || parts.left.has_value();
}

bool RunLedger::may_be_broken_off(const Parts& parts) {
  const Measurement& measurement = parts.received->measurement;
  const bool ended = measurement.marks_found != "leading_only" && measurement.marks_found != "none";
  return measurement.mos_lqo && !ended && !parts.whole && !parts.played;
}

std::optional<double> RunLedger::delay_ms(std::size_t direction, std::uint32_t sequence) const {
  const auto found = parts_[direction].find(sequence);
  if (found == parts_[direction].end()) return std::nullopt;
  return delay_ms(direction, found->second);
}

namespace {

// When a transmission left and when it came, by each machine's own clock: a device that lost a period is behind by its
// own frames, and not by these. When it had left more was known of the clocks than when it was given.
std::int64_t left_ns(const DepartureNotice& left, const std::optional<LineNotes>& played) {
  return left.left_at_ns + (played && played->clock_offset_ns ? *played->clock_offset_ns : left.clock_offset_ns);
}

}  // namespace

std::optional<double> RunLedger::delay_ms(std::size_t direction, const Parts& parts) const {
  const bool comparable = delay_basis_ == DelayBasis::virtual_time || delay_basis_ == DelayBasis::same_clock ||
                          delay_basis_ == DelayBasis::synchronised;
  if (!comparable || !parts.received || !parts.left || !parts.received->arrived_at_ns) return std::nullopt;
  const std::int64_t arrived = *parts.received->arrived_at_ns + parts.received->clock_offset_ns;
  return static_cast<double>(arrived - left_ns(*parts.left, parts.played) + clocks_apart_ns_[direction]) * 1e-6;
}

// One way: what both clocks say where they are one, or follow one; else half of what goes there and comes back, in
// which the clocks' offset cancels. The nearer in time the two ways are measured, the less the offset has moved
// meanwhile. Gives what is to be said where there is none.
std::string RunLedger::add_delay(std::size_t direction, const Parts& parts, Measurement& measurement) {
  measurement.delay_ms = delay_ms(direction, parts);
  if (measurement.delay_ms) {
    measurement.delay_basis = delay_basis_;
    measurement.delay_uncertainty_ms = clock_uncertainty_ms_ + device_uncertainty_ms_;
  }
  if (delay_basis_ == DelayBasis::half_round_trip && parts.left && parts.received->arrived_at_ns) {
    const std::int64_t arrived = *parts.received->arrived_at_ns + parts.received->clock_offset_ns;
    const std::int64_t left = left_ns(*parts.left, parts.played);
    const bool from_a = results_.directions[direction].from == "a";
    apparent_[direction] = Apparent{static_cast<double>(arrived - left) * 1e-6, from_a ? left : arrived};
    const auto& back = apparent_.size() == 2 ? apparent_[1 - direction] : std::nullopt;
    if (back) {
      constexpr double kCrystals_ppm = 200;  // two of 100 ppm, which nobody compares
      const double apart_ms = std::abs(static_cast<double>(apparent_[direction]->at_a_ns - back->at_a_ns)) * 1e-6;
      measurement.delay_ms = (apparent_[direction]->delay_ms + back->delay_ms) / 2;
      measurement.delay_basis = DelayBasis::half_round_trip;
      measurement.delay_uncertainty_ms =
          apart_ms * kCrystals_ppm * 1e-6 / 2 + clock_uncertainty_ms_ / 2 + device_uncertainty_ms_;
    }
  }
  const double delay = measurement.delay_ms.value_or(0);
  const bool before_it_left = delay < -measurement.delay_uncertainty_ms.value_or(0);
  // One that cannot be is none; the score beside it comes from the recording and stands.
  if (std::abs(delay) <= kLongestDelay_ms && !before_it_left) return {};
  const DelayBasis basis = measurement.delay_basis;
  measurement.delay_ms.reset();
  measurement.delay_uncertainty_ms.reset();
  measurement.delay_basis = DelayBasis::unknown;
  if (basis != DelayBasis::synchronised) {
    return before_it_left
               ? fmt::format("no delay is given: by the clocks it would be {:.1f} ms, which cannot be", delay)
               : std::string();
  }
  return fmt::format(
      "no delay is given: by the two clocks, said to be synchronised to {:.3g} ms, it would be {:.1f} ms; check them",
      clock_uncertainty_ms_, delay);
}

// What the sender's device spoilt is no score of the line.
void RunLedger::judge_sender(std::size_t direction, const Parts& parts, Measurement& measurement) {
  const CaptureEvidence& evidence = parts.received->evidence;
  if (parts.played) {
    if (!measurement.line) measurement.line.emplace();
    measurement.echo_delay_ms = parts.played->echo_delay_ms;
    measurement.echo_return_loss_db = parts.played->echo_return_loss_db;
    const LineStatistics& out = parts.played->noticed;
    measurement.line->output_overflows = out.output_overflows;
    measurement.line->output_underflows = out.output_underflows;
    measurement.line->inserted_samples = out.inserted_samples;
    const bool gone = measurement.outcome == Outcome::line_lost;
    if (const auto fault = sending_fault(*parts.played, evidence, drift_[direction]); fault && !gone) {
      lose_score(measurement, Outcome::audio_fault, *fault);
    }
  }
  const bool spoilt = measurement.outcome == Outcome::audio_fault;
  if (measurement.line && !spoilt) add_words(measurement.note, note_in_words(*measurement.line, evidence));
  if (!spoilt && evidence.both && evidence.drift_ppm) drift_[direction].add(*evidence.drift_ppm);
}

void RunLedger::begin_call() {
  const auto is_scored = [this](const Measurement& one) { return one.call == call_ && one.mos_lqo.has_value(); };
  for (const DirectionRun& direction : results_.directions) {
    for (const StimulusRun& stimulus : direction.stimuli) {
      if (!std::ranges::any_of(stimulus.measurements, is_scored)) continue;
      ++call_;
      return;
    }
  }
}

// Scores of two levels are not of one line, whoever takes them together.
void RunLedger::note_level(std::size_t direction, Measurement& measurement) const {
  if (measurement.call == 1 || !measurement.mos_lqo) return;
  DirectionRun with = results_.directions[direction];
  with.stimuli.push_back({"", {measurement}, {}, {}});
  const auto words = level_change_in_words(call_levels(with).back());
  if (words) add_note(measurement, "the call was made again, and its level is " + *words);
}

void RunLedger::fetched(std::size_t direction, std::uint32_t sequence, const std::string& recording) {
  // One that was fetched twice may have been settled in between.
  const auto found = parts_[direction].find(sequence);
  if (found != parts_[direction].end()) found->second.recording = recording;
}

void RunLedger::enter(const Measurement& measurement, Sampler& sampler) const {
  if (measurement.mos_lqo) {
    sampler.add_score(*measurement.mos_lqo);
  } else if (measurement.outcome != Outcome::cancelled && (!was_given_up(measurement) || !spare_lost_)) {
    sampler.add_failure();
  }
}

// What never was there cannot be lost.
void RunLedger::tell_never_heard(std::size_t direction, const Parts& parts, Measurement& measurement) const {
  const DirectionRun& run = results_.directions[direction];
  const std::string what = parts.received->heard ? in_words(*parts.received->heard) : std::string("silence");
  lose_score(measurement, Outcome::not_found,
             fmt::format("no mark of {} has come to {} yet: {}", run.from, run.to, what));
  measurement.call = 0;
}

RunLedger::Place RunLedger::enter(std::size_t direction, const Planned& planned, const Parts& parts) {
  Measurement measurement = parts.received->measurement;
  measurement.recording = *parts.recording;
  if (parts.left && parts.received->arrived_at_ns)
    behind_[direction] = {parts.left->left_at_ns, *parts.received->arrived_at_ns - parts.left->left_at_ns};
  judge_sender(direction, parts, measurement);
  // Where a machine lost or made up samples its times are not those of what was sent and heard.
  if (measurement.outcome != Outcome::audio_fault) add_note(measurement, add_delay(direction, parts, measurement));
  const bool never_ended = wants_played_[direction] && !parts.played && !parts.whole;
  // Silence where the sender's node died is no sign of the call.
  const bool broken_off = may_be_broken_off(parts) || (never_ended && measurement.outcome == Outcome::line_lost);
  if (broken_off)
    lose_score(measurement, given_up_as_,
               "neither its sender nor a trailing mark confirms that it was sent to its end");
  const bool never_heard = !broken_off && !heard_[direction] && measurement.outcome == Outcome::line_lost;
  measurement.call = call_;
  if (never_heard) tell_never_heard(direction, parts, measurement);
  heard_[direction] = heard_[direction] || is_heard(measurement);
  note_level(direction, measurement);
  Sampler& sampler = samplers_[direction][planned.stimulus];
  enter(measurement, sampler);
  StimulusRun& run = results_.directions[direction].stimuli[planned.stimulus];
  put(run, std::move(measurement));
  run.interval = sampler.interval();
  return {direction, planned.stimulus, broken_off, never_heard};
}

// What a receiver tells takes the place of what was given up for lost.
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
    if (due_[d].empty()) continue;
    const Planned planned = due_[d].front();
    const auto found = parts_[d].find(planned.sequence);
    if (found == parts_[d].end()) continue;
    const Parts parts = found->second;
    const bool departed = parts.left && (parts.played || !wants_played_[d]);
    if (!parts.received || !parts.recording) continue;
    if (!last && (!departed || may_be_broken_off(parts))) continue;
    parts_[d].erase(found);
    due_[d].pop_front();
    if (was_not_sent(d, parts)) return settle_next(last);
    settled_s_[d] += line_seconds_[planned.stimulus];
    return enter(d, planned, parts);
  }
  return std::nullopt;
}

void RunLedger::give_up_recordings() {
  for (auto& direction : parts_) {
    for (auto& [sequence, parts] : direction) {
      if (parts.received && !parts.recording) parts.recording = "";
    }
  }
}

std::vector<std::pair<std::size_t, Planned>> RunLedger::missing() const {
  std::vector<std::pair<std::size_t, Planned>> found;
  for (std::size_t d = 0; d < directions(); ++d) {
    for (const Planned& one : due_[d]) {
      const auto parts = parts_[d].find(one.sequence);
      if (parts != parts_[d].end() && parts->second.left && !parts->second.received) found.emplace_back(d, one);
    }
  }
  return found;
}

std::vector<std::pair<std::size_t, Planned>> RunLedger::under_way() const {
  std::vector<std::pair<std::size_t, Planned>> found = missing();
  for (std::size_t d = 0; d < directions(); ++d) {
    const bool none_told = std::ranges::none_of(found, [d](const auto& one) { return one.first == d; });
    if (none_told && round_begun_ && !due_[d].empty()) found.emplace_back(d, due_[d].front());
  }
  return found;
}

RunLedger::Place RunLedger::lose(std::size_t direction, const Planned& planned, const std::string& reason) {
  Measurement measurement;
  measurement.sequence = planned.sequence;
  measurement.outcome = given_up_as_;
  measurement.reason = reason;
  measurement.call = call_;
  parts_[direction].erase(planned.sequence);
  std::erase_if(due_[direction], [&](const Planned& one) { return one.sequence == planned.sequence; });
  put(results_.directions[direction].stimuli[planned.stimulus], std::move(measurement));
  return {direction, planned.stimulus, true};
}

std::vector<ReceivedMeasurement> RunLedger::to_fetch(std::size_t direction) const {
  std::vector<ReceivedMeasurement> found;
  for (const auto& [sequence, parts] : parts_[direction]) {
    if (parts.received && !parts.recording) found.push_back(*parts.received);
  }
  return found;
}

bool RunLedger::round_complete() const {
  for (const auto& due : due_) {
    if (!due.empty()) return false;
  }
  return true;
}

void RunLedger::put_off(std::size_t direction, std::size_t stimulus) {
  Sampler& sampler = samplers_[direction][stimulus];
  const auto reason = sampler.stopped_because();
  if (reason && reason != StopReason::goal && reason != StopReason::fallback) return;
  asked_[direction][stimulus] += results_.sampling.step;
  if (!reason) return sampler.ask_for_more(results_.sampling.step);
  // As if it had been asked at the beginning: what was measured since the end is not asked for again.
  Sampler again(results_.sampling);
  again.ask_for_more(asked_[direction][stimulus]);
  for (std::size_t i = 0; i < sampler.failures(); ++i) again.add_failure();
  for (const double score : sampler.scores()) again.add_score(score);
  sampler = again;
}

bool RunLedger::ask_for_more(const std::string& from, const std::string& to, std::uint32_t sequence) {
  for (std::size_t d = 0; d < directions(); ++d) {
    const DirectionRun& direction = results_.directions[d];
    if (direction.from != from || direction.to != to) continue;
    for (std::size_t s = 0; s < stimuli_.size(); ++s) {
      if (std::ranges::find(direction.stimuli[s].measurements, sequence, &Measurement::sequence) ==
          direction.stimuli[s].measurements.end())
        continue;
      put_off(d, s);
      return true;
    }
  }
  return false;
}

void RunLedger::stop(StopReason reason) {
  for (auto& direction : samplers_) {
    for (Sampler& sampler : direction) {
      if (!sampler.finished()) sampler.stop(reason);
    }
  }
}

void RunLedger::conclude() {
  for (std::size_t d = 0; d < directions(); ++d) {
    for (std::size_t s = 0; s < stimuli_.size(); ++s) {
      StimulusRun& run = results_.directions[d].stimuli[s];
      std::ranges::sort(run.measurements, {}, &Measurement::sequence);
      run.interval = samplers_[d][s].interval();
      run.stopped_because = samplers_[d][s].stopped_because().value_or(StopReason::cancelled);
    }
  }
}

std::size_t RunLedger::expected_more(std::size_t direction) const {
  std::size_t more = 0, scored = 0, failed = 0;
  for (const Sampler& sampler : samplers_[direction]) {
    more += sampler.expected_more();
    scored += sampler.scores().size();
    failed += sampler.failures();
  }
  return scored == 0 ? more : more + more * failed / scored;
}

WorkLeft RunLedger::work_left(std::size_t direction) const {
  WorkLeft work;
  double due_s = 0;
  for (const Planned& one : due_[direction]) {
    due_s += line_seconds_[one.stimulus];
    const auto parts = parts_[direction].find(one.sequence);
    // What has come is only on its way to the disk.
    if (parts == parts_[direction].end() || !parts->second.received) work.round_s += line_seconds_[one.stimulus];
  }
  double all_s = 0;
  std::size_t all = 0, scored = 0, failed = 0;
  for (std::size_t s = 0; s < stimuli_.size(); ++s) {
    const Sampler& sampler = samplers_[direction][s];
    const std::size_t more = sampler.expected_more();
    all += more;
    all_s += static_cast<double>(more) * line_seconds_[s];
    scored += sampler.scores().size();
    failed += sampler.failures();
    work.later_rounds = std::max(work.later_rounds, expected_looks(sampler));
  }
  if (scored > 0) all_s *= 1 + static_cast<double>(failed) / static_cast<double>(scored);
  work.later_s = std::max(0.0, all_s - due_s);
  // What does not fit the round under way waits for another one, whatever the samplers say.
  const std::size_t behind = all - std::min(all, due_[direction].size());
  work.later_rounds = std::max(work.later_rounds, (behind + kLongestRound - 1) / kLongestRound);
  return work;
}

std::size_t RunLedger::expected_total() const {
  std::size_t total = measured_;
  for (std::size_t d = 0; d < directions(); ++d) total += expected_more(d);
  return total;
}

}  // namespace vqas
