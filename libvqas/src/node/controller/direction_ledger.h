#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "node/controller/line_time.h"
#include "node/controller/round_plan.h"
#include "node/controller/run_pace.h"
#include "node/wire/wire_json.h"
#include "receive/device_notes.h"
#include "vqas/sampling/direction_sampler.h"

namespace vqas {

class OneWayDelays;

/// The arrival of a transmission that its receiver took for an earlier one.
struct TakenForOther {
  ReceivedMeasurement received;
  std::string recording;
};

/// The notices about one transmission.
struct TransmissionParts {
  std::optional<ReceivedMeasurement> received;  ///< as numbered by its receiver
  std::optional<TakenForOther> taken_for_other;
  std::optional<DepartureNotice> left;
  std::optional<DeviceNotes> played;
  std::optional<std::string> recording;
  bool unsent = false;  ///< it was received, or abandoned, before its departure was reported
  bool whole = false;   ///< it was sent completely, as its sender reports

  /// It was received, has a score, and may be the beginning of a transmission that its sender did not finish.
  bool may_be_broken_off() const;
};

/// Counting rules common to a ledger's directions.
struct CountingRules {
  bool spare_lost = false;         ///< RunLedger::spare_lost()
  bool departures_needed = false;  ///< RunLedger::set_departures_needed()
};

/// What shows how long transmissions of one direction take.
struct TravelTimes {
  const OneWayDelays& delays;
  std::size_t direction = 0;
  const LineTime& time;
};

/// One direction of a run: measurements planned but not yet in the results, notices about them, and the counts of its
/// samplers. A value; for one thread.
class DirectionLedger {
 public:
  DirectionLedger(const SamplerOptions& sampling, std::size_t stimuli);

  // A measurement of an earlier part of the run; `seconds`: line time.
  void restore(std::size_t stimulus, const Measurement& measurement, double seconds);
  void restore_due(const Planned& planned, double seconds);
  /// Numbers below this one were planned earlier.
  void number_from(std::uint32_t sequence);

  // Planned and not yet settled.
  const std::deque<Planned>& due() const { return due_; }
  bool is_due(std::uint32_t sequence) const;
  std::uint32_t next_sequence() const { return next_sequence_; }
  /// Line time of everything planned and not forgotten, in s.
  double planned_s() const { return planned_s_; }
  void clear_due() { due_.clear(); }
  void add_due(const std::vector<Planned>& planned, double seconds);
  /// Number due and not received, by stimulus.
  std::vector<std::size_t> awaited() const;
  std::size_t awaited_in_all() const;
  /// Removes what was not received from the due list.
  void forget_missing(const LineTime& time);

  // Notices; those that are not due are ignored.
  /// False if it is not due, already known, or of another stimulus than planned.
  bool received(const ReceivedMeasurement& received, const std::vector<std::string>& stimuli, bool sender_tells);
  /// False if it is not due.
  bool left(const DepartureNotice& departure);
  void played(const PlayedNotice& played);
  void sender_finished();
  void fetched(std::uint32_t sequence, const std::string& recording);
  void abandon_recordings();
  /// Its recording is gone, for the given reason: the measurement counts without it.
  void recording_lost(std::uint32_t sequence, const std::string& why);
  /// Nothing if there was no notice.
  const TransmissionParts* parts_of(std::uint32_t sequence) const;
  /// Departed and not received.
  std::vector<Planned> missing() const;
  std::vector<ReceivedMeasurement> to_fetch() const;

  struct Complete {
    Planned planned;
    TransmissionParts parts;
    bool sent = true;  ///< else its receiver waited for a transmission that was not sent: no measurement
  };
  /// Removes and returns the next due transmission if all its parts are there. `last`: also without its departure.
  /// An arrival whose marks carry no number is given to the transmission that it belongs to
  /// (direction_ledger_arrivals.cpp); where that is not known, it has no time of arrival. A later report may tell, so
  /// it is waited for unless this is the `last` call.
  std::optional<Complete> take_complete(bool last, const CountingRules& rules, const TravelTimes& times);
  /// Removes one that will not come.
  void drop(std::uint32_t sequence);

  // Reports of its two ends on transmissions.
  /// Its sender reports how each transmission was played; the ledger waits for that.
  void expect_played() { wants_played_ = true; }
  /// Its sender's device should have reported how this was played, but nothing confirms it.
  bool is_unconfirmed(const TransmissionParts& parts) const { return wants_played_ && !parts.played && !parts.whole; }
  void note_clocks(const TransmissionParts& parts);
  bool last_found() const { return last_found_; }
  bool heard() const { return heard_; }
  void note_heard(const Measurement& measurement);
  UsualDrift& drift() { return drift_; }

  const DirectionSampler& sampler() const { return sampler_; }
  DirectionSampler& sampler() { return sampler_; }
  void count(std::size_t stimulus, const Measurement& measurement, const CountingRules& rules);
  /// Including measurements that were received but are not in the results yet.
  DirectionSampler sampler_ahead(const CountingRules& rules) const;
  std::size_t expected_more() const;
  WorkLeft work_left(const LineTime& time) const;

  /// Line time of everything in the results, in s.
  double settled_s() const { return settled_s_; }
  void settle(double seconds) { settled_s_ += seconds; }

 private:
  bool was_received(std::uint32_t sequence) const;

  // direction_ledger_arrivals.cpp
  // The transmission that an arrival belongs to; `open`: a later report may tell.
  struct Owner {
    enum class Is { known, unclear, open } is = Is::known;
    std::uint32_t sequence = 0;
  };
  struct Departed {
    Planned planned;
    std::optional<std::int64_t> left_ns;  // by the line's clock; nothing if it was not reported
    std::int64_t left_by_machine_ns = 0;
  };
  Departed departed(const Planned& planned) const;
  std::vector<Departed> possible_owners() const;
  std::vector<double> usual_behind_ms() const;
  Owner owner_of_next(const TravelTimes& times) const;
  bool is_followed(std::uint32_t sequence) const;
  TransmissionParts owned_parts(const Planned& planned, const Owner& owner, const TravelTimes& times) const;
  void note_owner(const Complete& complete, const Owner& owner);

  bool was_not_sent(const TransmissionParts& parts, const CountingRules& rules) const;

  // By note_clocks(): how far the last arrival whose number is known lies behind its departure.
  struct Behind {
    std::int64_t left_ns = 0, ns = 0;
  };
  DirectionSampler sampler_;
  std::deque<Planned> due_;
  std::map<std::uint32_t, TransmissionParts> parts_;  // by sequence
  std::uint32_t next_sequence_ = 1;
  double planned_s_ = 0, settled_s_ = 0;
  bool wants_played_ = false, last_found_ = true, heard_ = false;
  UsualDrift drift_;
  std::optional<Behind> behind_;
  std::vector<Departed> lost_;     // settled without a known arrival, behind the last one that has one
  std::uint32_t owned_up_to_ = 0;  // arrivals from here on belong to later transmissions
};

}  // namespace vqas
