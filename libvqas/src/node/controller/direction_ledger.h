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
#include "vqas/sampling/sampler.h"

namespace vqas {

/// What was told of one transmission.
struct TransmissionParts {
  std::optional<ReceivedMeasurement> received;
  std::optional<DepartureNotice> left;
  std::optional<DeviceNotes> played;
  std::optional<std::string> recording;
  bool unsent = false;  ///< it was received, or abandoned, before it was seen to leave
  bool whole = false;   ///< it left to its end, as its sender says

  /// It was received, has a score, and may be the beginning of what its sender did not finish.
  bool may_be_broken_off() const;
};

/// What a ledger's directions have in common when they count.
struct CountingRules {
  bool spare_lost = false;         ///< RunLedger::spare_lost()
  bool departures_needed = false;  ///< RunLedger::set_departures_needed()
};

/// One direction of a run: what is planned and has not entered the results, what was told of it, what its samplers
/// count. A value; for one thread.
class DirectionLedger {
 public:
  DirectionLedger(const SamplerOptions& sampling, std::size_t stimuli);

  // Of an earlier part of the run; `seconds`: line time.
  void restore(std::size_t stimulus, const Measurement& measurement, double seconds);
  void restore_due(const Planned& planned, double seconds);
  /// Numbers below this one were planned before.
  void number_from(std::uint32_t sequence);

  // What is due.
  const std::deque<Planned>& due() const { return due_; }
  bool is_due(std::uint32_t sequence) const;
  std::uint32_t next_sequence() const { return next_sequence_; }
  /// Line time of all that was planned and not forgotten, in s.
  double planned_s() const { return planned_s_; }
  void clear_due() { due_.clear(); }
  void add_due(const std::vector<Planned>& planned, double seconds);
  /// What is due of each stimulus and was not received.
  std::vector<std::size_t> awaited() const;
  std::size_t awaited_in_all() const;
  /// Takes what was not received off what is due.
  void forget_missing(const LineTime& time);

  // What was told; what is not due is ignored.
  /// False where it is not due, known already, or of another stimulus than was planned.
  bool received(const ReceivedMeasurement& received, const std::vector<std::string>& stimuli, bool sender_tells);
  /// False where it is not due.
  bool left(const DepartureNotice& departure);
  void played(const PlayedNotice& played);
  void sender_finished();
  void fetched(std::uint32_t sequence, const std::string& recording);
  void abandon_recordings();
  /// Nothing where nothing was told.
  const TransmissionParts* parts_of(std::uint32_t sequence) const;
  /// Departed and not received.
  std::vector<Planned> missing() const;
  std::vector<ReceivedMeasurement> to_fetch() const;

  struct Complete {
    Planned planned;
    TransmissionParts parts;
    bool sent = true;  ///< else its receiver waited in vain for what was not sent: no measurement
  };
  /// The next one that is due, taken off where all its parts are there. `last`: also without its departure.
  std::optional<Complete> take_complete(bool last, const CountingRules& rules);
  /// Takes one off that will not come.
  void drop(std::uint32_t sequence);

  // How its two ends told of transmissions.
  /// Its sender tells how each transmission was played, which is waited for.
  void expect_played() { wants_played_ = true; }
  /// Its sender's device should have told how this was played, and nothing says that it was.
  bool is_unconfirmed(const TransmissionParts& parts) const { return wants_played_ && !parts.played && !parts.whole; }
  void note_clocks(const TransmissionParts& parts);
  bool last_found() const { return last_found_; }
  bool heard() const { return heard_; }
  void note_heard(const Measurement& measurement);
  UsualDrift& drift() { return drift_; }

  // Its samplers.
  const std::vector<Sampler>& samplers() const { return samplers_; }
  /// Counts a measurement, and gives its sampler.
  const Sampler& count(std::size_t stimulus, const Measurement& measurement, const CountingRules& rules);
  /// With what was received and has not entered the results.
  std::vector<Sampler> samplers_ahead(const CountingRules& rules) const;
  bool finished() const;
  void put_off(std::size_t stimulus, const SamplerOptions& sampling);
  void stop(StopReason reason);
  std::size_t expected_more() const;
  WorkLeft work_left(const LineTime& time) const;

  /// Line time of all that entered the results, in s.
  double settled_s() const { return settled_s_; }
  void settle(double seconds) { settled_s_ += seconds; }

 private:
  bool was_received(std::uint32_t sequence) const;
  bool was_not_sent(const TransmissionParts& parts, const CountingRules& rules) const;

  // For was_not_sent() alone, by note_clocks(): how far the last arrival that was found lies behind its departure.
  struct Behind {
    std::int64_t left_ns = 0, ns = 0;
  };
  std::vector<Sampler> samplers_;   // by stimulus
  std::vector<std::size_t> asked_;  // for how many more, in all, likewise
  std::deque<Planned> due_;
  std::map<std::uint32_t, TransmissionParts> parts_;  // by sequence
  std::uint32_t next_sequence_ = 1;
  double planned_s_ = 0, settled_s_ = 0;
  bool wants_played_ = false, last_found_ = true, heard_ = false;
  UsualDrift drift_;
  std::optional<Behind> behind_;
};

}  // namespace vqas
