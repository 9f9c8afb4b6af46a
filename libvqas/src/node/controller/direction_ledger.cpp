#include "node/controller/direction_ledger.h"

#include <algorithm>
#include <numeric>

#include "run/counted_as.h"

namespace vqas {
namespace {

bool is_found(const Measurement& measurement) {
  return measurement.outcome != Outcome::not_found && measurement.outcome != Outcome::line_lost;
}

Silent silent_as(const CountingRules& rules) {
  return rules.spare_lost ? Silent::is_spared : Silent::fails;
}

}  // namespace

bool TransmissionParts::may_be_broken_off() const {
  const Measurement& measurement = received->measurement;
  const bool ended = measurement.marks_found != MarksFound::leading_only && measurement.marks_found != MarksFound::none;
  return measurement.mos_lqo && !ended && !whole && !played;
}

DirectionLedger::DirectionLedger(const SamplerOptions& sampling, std::size_t stimuli) : sampler_(sampling, stimuli) {}

void DirectionLedger::restore(std::size_t stimulus, const Measurement& measurement, double seconds) {
  planned_s_ += seconds;
  number_from(measurement.sequence + 1);
  note_heard(measurement);
  count_in(sampler_, measurement, Silent::is_spared, stimulus);
}

void DirectionLedger::restore_due(const Planned& planned, double seconds) {
  due_.push_back(planned);
  planned_s_ += seconds;
}

void DirectionLedger::number_from(std::uint32_t sequence) {
  next_sequence_ = std::max(next_sequence_, sequence);
}

bool DirectionLedger::is_due(std::uint32_t sequence) const {
  return std::ranges::any_of(due_, [sequence](const Planned& one) { return one.sequence == sequence; });
}

void DirectionLedger::add_due(const std::vector<Planned>& planned, double seconds) {
  due_.insert(due_.end(), planned.begin(), planned.end());
  next_sequence_ += static_cast<std::uint32_t>(planned.size());
  planned_s_ += seconds;
}

bool DirectionLedger::was_received(std::uint32_t sequence) const {
  const TransmissionParts* const parts = parts_of(sequence);
  return parts != nullptr && parts->received;
}

std::vector<std::size_t> DirectionLedger::awaited() const {
  std::vector<std::size_t> counts(sampler_.stimuli(), 0);
  for (const Planned& one : due_) counts[one.stimulus] += was_received(one.sequence) ? 0 : 1;
  return counts;
}

std::size_t DirectionLedger::awaited_in_all() const {
  const std::vector<std::size_t> counts = awaited();
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

void DirectionLedger::forget_missing(const LineTime& time) {
  std::erase_if(due_, [&](const Planned& one) {
    if (was_received(one.sequence)) return false;
    parts_.erase(one.sequence);
    planned_s_ -= time.of(one.stimulus);
    return true;
  });
}

bool DirectionLedger::received(const ReceivedMeasurement& received, const std::vector<std::string>& stimuli,
                               bool sender_tells) {
  const auto planned = std::ranges::find(due_, received.measurement.sequence, &Planned::sequence);
  if (planned == due_.end()) return false;
  TransmissionParts& parts = parts_[planned->sequence];
  if (parts.received || stimuli[planned->stimulus] != received.stimulus) return false;
  parts.received = received;
  parts.unsent = sender_tells && !parts.left;
  last_found_ = is_found(received.measurement);
  if (received.measurement.recording.empty()) parts.recording = "";
  return true;
}

bool DirectionLedger::left(const DepartureNotice& departure) {
  if (!is_due(departure.sequence)) return false;
  for (auto& [sequence, before] : parts_) {
    if (sequence < departure.sequence && before.left) before.whole = true;
  }
  TransmissionParts& parts = parts_[departure.sequence];
  parts.left = departure;
  if (departure.played) parts.played = departure.played->notes;
  return true;
}

void DirectionLedger::played(const PlayedNotice& played) {
  if (is_due(played.sequence)) parts_[played.sequence].played = played.notes;
}

void DirectionLedger::sender_finished() {
  for (auto& [sequence, parts] : parts_) parts.whole = parts.whole || parts.left.has_value();
}

void DirectionLedger::fetched(std::uint32_t sequence, const std::string& recording) {
  // A recording fetched twice may have been settled in between.
  const auto found = parts_.find(sequence);
  if (found != parts_.end()) found->second.recording = recording;
}

void DirectionLedger::abandon_recordings() {
  for (auto& [sequence, parts] : parts_) {
    if (parts.received && !parts.recording) parts.recording = "";
  }
}

void DirectionLedger::recording_lost(std::uint32_t sequence, const std::string& why) {
  fetched(sequence, "");
  const auto found = parts_.find(sequence);
  if (found == parts_.end() || !found->second.received) return;
  add_words(found->second.received->measurement.note, "its recording is missing: " + why);
}

const TransmissionParts* DirectionLedger::parts_of(std::uint32_t sequence) const {
  const auto found = parts_.find(sequence);
  return found == parts_.end() ? nullptr : &found->second;
}

std::vector<Planned> DirectionLedger::missing() const {
  std::vector<Planned> found;
  for (const Planned& one : due_) {
    const TransmissionParts* const parts = parts_of(one.sequence);
    if (parts != nullptr && parts->left && !parts->received) found.push_back(one);
  }
  return found;
}

std::vector<ReceivedMeasurement> DirectionLedger::to_fetch() const {
  std::vector<ReceivedMeasurement> found;
  for (const auto& [sequence, parts] : parts_) {
    if (parts.received && !parts.recording) found.push_back(*parts.received);
  }
  return found;
}

std::optional<DirectionLedger::Complete> DirectionLedger::take_complete(bool last, const CountingRules& rules,
                                                                        const TravelTimes& times) {
  if (due_.empty()) return std::nullopt;
  const auto found = parts_.find(due_.front().sequence);
  if (found == parts_.end()) return std::nullopt;
  if (!found->second.received || !found->second.recording) return std::nullopt;
  const bool departed = found->second.left && (found->second.played || !wants_played_);
  const Owner owner = owner_of_next(times);
  const bool may_be_told = owner.is == Owner::Is::open && !is_followed(due_.front().sequence);
  Complete complete{due_.front(), owned_parts(due_.front(), owner, times), true};
  if (!last && (!departed || may_be_told || complete.parts.may_be_broken_off())) return std::nullopt;
  complete.sent = !was_not_sent(complete.parts, rules);
  note_owner(complete, owner);
  parts_.erase(found);
  due_.pop_front();
  return complete;
}

void DirectionLedger::drop(std::uint32_t sequence) {
  parts_.erase(sequence);
  std::erase_if(due_, [sequence](const Planned& one) { return one.sequence == sequence; });
}

// A receiver waits from the time of its request. Over a slow link its sender may get the request after that wait: then
// the transmission counts as not sent, even if it left later. The two clocks may differ, but transmissions that were
// found show their offset.
bool DirectionLedger::was_not_sent(const TransmissionParts& parts, const CountingRules& rules) const {
  if (!rules.departures_needed || !parts.received || is_found(parts.received->measurement)) return false;
  // Times before those of the last transmission found are of a restarted clock.
  if (parts.left && parts.received->heard_until_ns && behind_ && parts.left->left_at_ns >= behind_->left_ns)
    return parts.left->left_at_ns + behind_->ns > *parts.received->heard_until_ns;
  return !parts.left || parts.unsent;
}

void DirectionLedger::note_clocks(const TransmissionParts& parts) {
  if (parts.left && parts.received->arrived_at_ns && !parts.received->number_guessed)
    behind_ = {parts.left->left_at_ns, *parts.received->arrived_at_ns - parts.left->left_at_ns};
}

// Some signal of the other end has arrived.
void DirectionLedger::note_heard(const Measurement& measurement) {
  heard_ = heard_ || measurement.mos_lqo || any_mark(measurement.marks_found);
}

void DirectionLedger::count(std::size_t stimulus, const Measurement& measurement, const CountingRules& rules) {
  count_in(sampler_, measurement, silent_as(rules), stimulus);
}

DirectionSampler DirectionLedger::sampler_ahead(const CountingRules& rules) const {
  DirectionSampler sampler = sampler_;
  for (const Planned& one : due_) {
    const TransmissionParts* const parts = parts_of(one.sequence);
    if (parts == nullptr || !parts->received || was_not_sent(*parts, rules)) continue;
    count_in(sampler, parts->received->measurement, silent_as(rules), one.stimulus);
  }
  return sampler;
}

std::size_t DirectionLedger::expected_more() const {
  const std::vector<std::size_t> each = sampler_.expected_more();
  const std::size_t more = std::accumulate(each.begin(), each.end(), std::size_t{0});
  std::size_t scored = 0, failed = 0;
  for (std::size_t s = 0; s < sampler_.stimuli(); ++s) {
    scored += sampler_.scored(s);
    failed += sampler_.failures(s);
  }
  return scored == 0 ? more : more + more * failed / scored;
}

WorkLeft DirectionLedger::work_left(const LineTime& time) const {
  WorkLeft work;
  double due_s = 0;
  for (const Planned& one : due_) {
    due_s += time.about(one.stimulus);
    // A received measurement is only on its way to the disk.
    if (!was_received(one.sequence)) work.round_s += time.about(one.stimulus);
  }
  double all_s = 0;
  std::size_t all = 0, scored = 0, failed = 0;
  const std::vector<std::size_t> more = sampler_.expected_more();
  for (std::size_t s = 0; s < sampler_.stimuli(); ++s) {
    all += more[s];
    all_s += static_cast<double>(more[s]) * time.about(s);
    scored += sampler_.scored(s);
    failed += sampler_.failures(s);
  }
  work.later_rounds = sampler_.expected_looks();
  if (scored > 0) all_s *= 1 + static_cast<double>(failed) / static_cast<double>(scored);
  work.later_s = std::max(0.0, all_s - due_s);
  // Measurements beyond the current round need another one, whatever the samplers expect.
  const std::size_t behind = all - std::min(all, due_.size());
  work.later_rounds = std::max(work.later_rounds, (behind + kLongestRound - 1) / kLongestRound);
  return work;
}

}  // namespace vqas
