#include "node/controller/run_ledger.h"

#include <algorithm>
#include <set>

#include "run/measurement_limits.h"

namespace vqas {

RunLedger::RunLedger(const RunPlan& plan, const std::vector<std::string>& stimuli)
    : stimuli_(stimuli),
      directions_((plan.a_to_b ? 1U : 0U) + (plan.b_to_a ? 1U : 0U), DirectionLedger(plan.sampling, stimuli.size())),
      delays_(directions_.size()),
      time_(stimuli.size(), plan.cap_line_time_s) {
  results_.seed = plan.seed;
  results_.mode = plan.mode;
  results_.guard_s = plan.guard_s;
  results_.sampling = plan.sampling;
  if (plan.a_to_b) results_.directions.push_back({End::a, {}});
  if (plan.b_to_a) results_.directions.push_back({End::b, {}});
  for (DirectionRun& direction : results_.directions) {
    for (const std::string& stimulus : stimuli) {
      StimulusRun run;
      run.stimulus = stimulus;
      direction.stimuli.push_back(run);
    }
  }
  conclude();
}

void RunLedger::restore(const RunContinuation& earlier) {
  const std::size_t count = std::min(directions(), earlier.so_far.directions.size());
  for (std::size_t d = 0; d < count; ++d) restore_direction(d, earlier);
  rounds_ = earlier.session.rounds;
}

void RunLedger::restore_direction(std::size_t d, const RunContinuation& earlier) {
  const SessionRecord& session = earlier.session;
  DirectionLedger& direction = directions_[d];
  std::set<std::uint32_t> known, counted;
  const auto& runs = earlier.so_far.directions[d].stimuli;
  // In their order on the line, across stimuli: a sampler of the mean then decides as it did before.
  std::vector<std::pair<std::size_t, const Measurement*>> in_order;
  for (std::size_t s = 0; s < std::min(stimuli_.size(), runs.size()); ++s) {
    for (const Measurement& one : runs[s].measurements) in_order.emplace_back(s, &one);
  }
  std::ranges::stable_sort(in_order, {}, [](const auto& one) { return one.second->sequence; });
  for (const auto& [s, one] : in_order) {
    results_.directions[d].stimuli[s].measurements.push_back(*one);
    direction.restore(s, *one, time_.of(s));
    counted.insert(one->sequence);
    if (!was_abandoned(one->outcome)) known.insert(one->sequence);
    ++measured_;
    call_ = std::max(call_, one->call);
  }
  for (std::size_t s = 0; s < stimuli_.size(); ++s)
    results_.directions[d].stimuli[s].interval = direction.sampler().interval(s);
  if (d < session.next_sequence.size()) direction.number_from(session.next_sequence[d]);
  if (d >= session.due.size()) return;
  for (const auto& [stimulus, sequence] : session.due[d]) {
    if (stimulus >= stimuli_.size() || known.contains(sequence)) continue;
    direction.restore_due({stimulus, sequence}, counted.contains(sequence) ? 0 : time_.of(stimulus));
  }
}

void RunLedger::describe(SessionRecord& record) const {
  record.rounds = rounds_;
  record.next_sequence.clear();
  record.due.assign(directions(), {});
  for (std::size_t d = 0; d < directions(); ++d) {
    record.next_sequence.push_back(directions_[d].next_sequence());
    for (const Planned& one : due(d)) record.due[d].emplace_back(one.stimulus, one.sequence);
  }
}

void RunLedger::forget_missing() {
  for (DirectionLedger& direction : directions_) direction.forget_missing(time_);
}

std::uint32_t RunLedger::least_due() const {
  std::uint32_t least = kLastSequence;
  for (const DirectionLedger& direction : directions_) {
    for (const Planned& one : direction.due()) least = std::min(least, one.sequence);
  }
  return least;
}

bool RunLedger::received(std::size_t direction, const ReceivedMeasurement& received, bool sender_tells) {
  if (!directions_[direction].received(received, stimuli_, sender_tells)) return false;
  round_begun_ = true;
  return true;
}

void RunLedger::left(std::size_t direction, const DepartureNotice& departure) {
  if (directions_[direction].left(departure)) round_begun_ = true;
}

std::optional<double> RunLedger::delay_ms(std::size_t direction, std::uint32_t sequence) const {
  const TransmissionParts* const parts = directions_[direction].parts_of(sequence);
  const bool is_named = parts != nullptr && parts->received && !parts->received->number_guessed;
  return is_named ? delays_.delay_ms(direction, *parts) : std::nullopt;
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

void RunLedger::give_up_recordings() {
  for (DirectionLedger& direction : directions_) direction.abandon_recordings();
}

std::vector<std::pair<std::size_t, Planned>> RunLedger::missing() const {
  std::vector<std::pair<std::size_t, Planned>> found;
  for (std::size_t d = 0; d < directions(); ++d) {
    for (const Planned& one : directions_[d].missing()) found.emplace_back(d, one);
  }
  return found;
}

std::vector<std::pair<std::size_t, Planned>> RunLedger::under_way() const {
  std::vector<std::pair<std::size_t, Planned>> found = missing();
  for (std::size_t d = 0; d < directions(); ++d) {
    const bool none_told = std::ranges::none_of(found, [d](const auto& one) { return one.first == d; });
    if (none_told && round_begun_ && !due(d).empty()) found.emplace_back(d, due(d).front());
  }
  return found;
}

bool RunLedger::round_complete() const {
  return std::ranges::all_of(directions_, [](const DirectionLedger& one) { return one.due().empty(); });
}

bool RunLedger::ask_for_more(End from, std::uint32_t sequence) {
  for (std::size_t d = 0; d < directions(); ++d) {
    const DirectionRun& direction = results_.directions[d];
    if (direction.from != from) continue;
    for (std::size_t s = 0; s < stimuli_.size(); ++s) {
      const auto& measurements = direction.stimuli[s].measurements;
      if (std::ranges::find(measurements, sequence, &Measurement::sequence) == measurements.end()) continue;
      directions_[d].sampler().ask_for_more(s, results_.sampling.step);
      return true;
    }
  }
  return false;
}

void RunLedger::stop(StopReason reason) {
  for (DirectionLedger& direction : directions_) direction.sampler().stop(reason);
}

void RunLedger::conclude() {
  for (std::size_t d = 0; d < directions(); ++d) {
    for (std::size_t s = 0; s < stimuli_.size(); ++s) {
      StimulusRun& run = results_.directions[d].stimuli[s];
      std::ranges::sort(run.measurements, {}, &Measurement::sequence);
      run.interval = directions_[d].sampler().interval(s);
      run.stopped_because = directions_[d].sampler().stopped_because(s).value_or(StopReason::cancelled);
    }
  }
}

std::size_t RunLedger::expected_total() const {
  std::size_t total = measured_;
  for (const DirectionLedger& direction : directions_) total += direction.expected_more();
  return total;
}

}  // namespace vqas
