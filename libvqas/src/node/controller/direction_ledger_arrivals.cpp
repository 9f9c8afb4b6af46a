// To which transmission an arrival belongs. A leading mark that can be decoded carries the number of its transmission.
// A trailing mark carries none, and an undecodable leading mark does not tell it; the receiver takes either for the
// first transmission that it waits for. If a mark was lost, that is a wrong guess. The ledger knows more: the
// departures, and how long transmissions with a known number took. An arrival belongs to the one transmission whose
// departure fits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "node/controller/direction_ledger.h"
#include "node/controller/one_way_delays.h"

namespace vqas {
namespace {

// A line's delay changes by less from one transmission to the next. Departures are further apart, by a sentence and its
// marks; where they are not, no owner is known.
constexpr double kSameTravel_ms = 1000;

bool has_arrived(const TransmissionParts& parts) {
  return parts.received && parts.received->arrived_at_ns;
}

bool has_named_arrival(const TransmissionParts& parts) {
  return has_arrived(parts) && !parts.received->number_guessed;
}

enum class Fit { yes, no, left_later };

Fit fit_of_travel(double behind_ms, const std::vector<double>& usual_ms) {
  const auto is_usual = [&](double usual) { return std::abs(behind_ms - usual) <= kSameTravel_ms; };
  const auto is_less = [&](double usual) { return behind_ms < usual - kSameTravel_ms; };
  if (std::ranges::any_of(usual_ms, is_usual)) return Fit::yes;
  return std::ranges::all_of(usual_ms, is_less) ? Fit::left_later : Fit::no;
}

// Nothing is known of the line's delay, but that it is positive.
Fit fit_of_delay(double delay_ms, double uncertainty_ms) {
  return delay_ms < -uncertainty_ms ? Fit::left_later : Fit::yes;
}

ReceivedMeasurement nothing_of(const Planned& planned, const std::string& stimulus, std::uint32_t owner) {
  ReceivedMeasurement nothing;
  nothing.stimulus = stimulus;
  nothing.measurement.sequence = planned.sequence;
  nothing.measurement.outcome = Outcome::not_found;
  nothing.measurement.marks_found = MarksFound::none;
  nothing.measurement.reason =
      fmt::format("no mark of it was found: by its time, the mark that was taken for its own is that of {}", owner);
  return nothing;
}

}  // namespace

DirectionLedger::Departed DirectionLedger::departed(const Planned& planned) const {
  const TransmissionParts* const parts = parts_of(planned.sequence);
  if (parts == nullptr || !parts->left) return {planned, {}, 0};
  return {planned, parts->left->left_at_ns, left_by_machine_ns(*parts)};
}

// A line does not change the order of transmissions: an arrival lies between the ones with known numbers.
std::vector<DirectionLedger::Departed> DirectionLedger::possible_owners() const {
  std::vector<Departed> possible = lost_;
  for (const Planned& one : due_) {
    const TransmissionParts* const parts = parts_of(one.sequence);
    if (parts != nullptr && has_named_arrival(*parts)) break;
    if (one.sequence > owned_up_to_) possible.push_back(departed(one));
  }
  return possible;
}

// By the line's two clocks, of the nearest arrivals before and after the next one due.
std::vector<double> DirectionLedger::usual_behind_ms() const {
  std::vector<double> usual;
  const auto left_ns = departed(due_.front()).left_ns;
  // Times before those of the last transmission found are of a restarted clock.
  if (behind_ && left_ns && *left_ns >= behind_->left_ns) usual.push_back(static_cast<double>(behind_->ns) * 1e-6);
  for (const auto& [sequence, parts] : parts_) {
    if (!has_named_arrival(parts) || !parts.left) continue;
    usual.push_back(static_cast<double>(*parts.received->arrived_at_ns - parts.left->left_at_ns) * 1e-6);
    break;
  }
  return usual;
}

DirectionLedger::Owner DirectionLedger::owner_of_next(const TravelTimes& times) const {
  const Planned& next = due_.front();
  const TransmissionParts& parts = parts_.at(next.sequence);
  if (!has_arrived(parts) || has_named_arrival(parts)) return {Owner::Is::known, next.sequence};
  const ReceivedMeasurement& received = *parts.received;
  const std::vector<double> usual_ms = usual_behind_ms();
  Owner owner{Owner::Is::open, 0};
  std::size_t fitting = 0;
  bool any_unreported = false;
  for (const Departed& one : possible_owners()) {
    // Speech is scored only where it was recognised.
    const bool other_speech = received.measurement.mos_lqo && one.planned.stimulus != next.stimulus;
    any_unreported = any_unreported || (!one.left_ns && !other_speech);
    if (!one.left_ns) continue;
    // The first sample's arrival follows from a trailing mark and the length of the sentence.
    const double longer_s = times.time.about(next.stimulus) - times.time.about(one.planned.stimulus);
    const double shift_ms = received.measurement.marks_found == MarksFound::trailing_only ? longer_s * 1e3 : 0;
    const double behind_ms = static_cast<double>(*received.arrived_at_ns - *one.left_ns) * 1e-6 + shift_ms;
    const auto delay_ms = times.delays.delay_ms(times.direction, one.left_by_machine_ns, received);
    const Fit fit = usual_ms.empty() ? fit_of_delay(delay_ms ? *delay_ms + shift_ms : 0, times.delays.uncertainty_ms())
                                     : fit_of_travel(behind_ms, usual_ms);
    if (fit == Fit::left_later) break;
    if (other_speech || fit == Fit::no) continue;
    ++fitting;
    owner.sequence = one.planned.sequence;
  }
  if (fitting == 1 && (!usual_ms.empty() || !any_unreported)) {
    owner.is = Owner::Is::known;
  } else if (!usual_ms.empty() && !any_unreported) {
    owner.is = Owner::Is::unclear;
  }
  return owner;
}

// A number of a later arrival would have told how long transmissions take. Its departure is needed too, so that the
// result does not depend on which node is heard first.
bool DirectionLedger::is_followed(std::uint32_t sequence) const {
  return std::ranges::any_of(parts_, [sequence](const auto& one) {
    return one.first > sequence && one.second.left && has_arrived(one.second);
  });
}

TransmissionParts DirectionLedger::owned_parts(const Planned& planned, const Owner& owner,
                                               const TravelTimes& times) const {
  TransmissionParts parts = parts_.at(planned.sequence);
  if (parts.taken_for_other && !has_named_arrival(parts)) {
    parts.received = parts.taken_for_other->received;
    parts.recording = parts.taken_for_other->recording;
    Measurement& measurement = parts.received->measurement;
    add_words(measurement.note, fmt::format("its receiver took its mark for that of {}; its time shows what it is",
                                            measurement.sequence));
    measurement.sequence = planned.sequence;
  } else if (owner.is != Owner::Is::known) {
    parts.received->arrived_at_ns.reset();
    if (times.delays.basis() != DelayBasis::unknown)
      add_words(parts.received->measurement.note,
                "no delay is given: its mark carries no number, and it may belong to another transmission");
  } else if (owner.sequence != planned.sequence) {
    parts.received = nothing_of(planned, parts.received->stimulus, owner.sequence);
    parts.recording = "";
    // It had left when that one left, so its receiver listened long enough.
    if (owner.sequence > planned.sequence) parts.unsent = false;
  }
  return parts;
}

void DirectionLedger::note_owner(const Complete& complete, const Owner& owner) {
  const std::uint32_t sequence = complete.planned.sequence;
  const TransmissionParts& reported = parts_.at(sequence);
  if (has_arrived(complete.parts)) {
    owned_up_to_ = std::max(owned_up_to_, sequence);
  } else if (reported.left) {
    lost_.push_back(departed(complete.planned));
  }
  if (owner.is == Owner::Is::known && owner.sequence != sequence) {
    const auto due = std::ranges::find(due_, owner.sequence, &Planned::sequence);
    if (due != due_.end()) {
      auto& taken =
          parts_[owner.sequence].taken_for_other.emplace(TakenForOther{*reported.received, *reported.recording});
      // It follows from the length of another sentence.
      if (due->stimulus != complete.planned.stimulus) taken.received.arrived_at_ns.reset();
    }
    owned_up_to_ = std::max(owned_up_to_, owner.sequence);
  }
  std::erase_if(lost_, [this](const Departed& one) { return one.planned.sequence <= owned_up_to_; });
}

}  // namespace vqas
