#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "node/controller/direction_ledger.h"
#include "node/controller/line_time.h"
#include "node/controller/one_way_delays.h"
#include "node/controller/round_plan.h"
#include "node/controller/run_pace.h"
#include "node/wire/wire_json.h"
#include "vqas/node/controller.h"

namespace vqas {

/// The plan of a run, its results so far, and what its samplers need: the controller without sockets and clocks.
/// Measurements enter the results in the order of their sequence numbers, whatever arrived first. For one thread.
class RunLedger {
 public:
  struct Place {
    std::size_t direction = 0, stimulus = 0;
    bool broken_off = false;   ///< its sender did not finish it, which says nothing about the call
    bool never_heard = false;  ///< silence or tone arrived, and never a mark of this direction
  };

  RunLedger(const RunPlan& plan, const std::vector<std::string>& stimuli);

  std::size_t directions() const { return directions_.size(); }
  const std::vector<std::string>& stimuli() const { return stimuli_; }
  RunResults& results() { return results_; }
  /// The clock of departures and arrivals; `unknown`: they cannot be compared.
  void set_delay_basis(DelayBasis basis) { delays_.set_basis(basis); }
  const RunResults& results() const { return results_; }

  /// Takes the measurements of an earlier part of the run, and those due when it was interrupted.
  void restore(const RunContinuation& earlier);
  /// Plans the next round; false when the samplers need nothing more. `used_s` is the line time used so far: with a
  /// cap, a round holds what fits, and is empty if not one measurement fits. At most `most` in each direction, or in
  /// `only` one of them.
  bool plan_next_round(double used_s = 0, std::size_t most = kLongestRound, std::optional<std::size_t> only = {});
  /// Plans more while something is still due: what its samplers need beyond that, in each direction with at most `lead`
  /// outstanding; if they cannot decide yet, what is certain after their next decision, at most twice `lead`. Received
  /// measurements count even before they are settled. `more` is what was added, by direction; false if that is nothing.
  /// In `only` one direction, if they take turns.
  bool plan_ahead(std::size_t lead, std::vector<std::vector<Planned>>& more, double used_s = 0,
                  std::optional<std::size_t> only = {});
  /// Plans a turn of one direction, of which everything has arrived, after what is due in the other one: everything
  /// certain, at most `most`. With a cap on line time both directions get the same share. `more` as in plan_ahead().
  bool plan_turn(std::size_t direction, std::size_t most, std::vector<std::vector<Planned>>& more, double used_s = 0);
  /// Due in this direction, and not received.
  std::size_t awaited_in(std::size_t direction) const { return directions_[direction].awaited_in_all(); }
  /// A mark of this direction, or speech that was scored, has arrived in this run.
  bool ever_heard(std::size_t direction) const { return directions_[direction].heard(); }
  /// The last reported transmission of this direction was found; true before the first report.
  bool last_found(std::size_t direction) const { return directions_[direction].last_found(); }
  /// Line time of the longest transmission, in s.
  double longest_s() const { return time_.longest_s(); }
  /// Forgets what is due and was not received: it will not arrive, and its numbers are not used again.
  void forget_missing();
  /// No number below `sequence` is planned any more.
  void number_from(std::size_t direction, std::uint32_t sequence) { directions_[direction].number_from(sequence); }
  /// Writes what is due, and the numbers used so far, into the record.
  void describe(SessionRecord& record) const;
  const std::deque<Planned>& due(std::size_t direction) const { return directions_[direction].due(); }

  /// The transmissions in this direction leave through a device that reports on each; the ledger waits for the report.
  void expect_played(std::size_t direction) { directions_[direction].expect_played(); }
  /// A lost call says nothing about a stimulus: the call is redialled, so its sampler does not count it.
  void spare_lost(bool spare) { rules_.spare_lost = spare; }
  /// Measurements from here on come through a redialled call. A call in which nothing was scored does not count.
  void begin_call();
  /// Number of the present call, from 1.
  std::uint32_t call() const { return call_; }
  /// Value to add to arrival less departure, by the machines' own clocks, in this direction: for synchronised ones.
  void set_clocks_apart_ns(std::size_t direction, std::int64_t value) { delays_.set_clocks_apart_ns(direction, value); }
  DelayBasis delay_basis() const { return delays_.basis(); }
  /// Largest error of a delay by the two ends' clocks, in ms.
  void set_clock_uncertainty_ms(double value) { delays_.set_clock_uncertainty_ms(value); }
  /// Of a one-way delay, caused by uncalibrated sound devices.
  void set_device_uncertainty_ms(double value) { delays_.set_device_uncertainty_ms(value); }

  /// Reports; each of the three is needed before a measurement counts. Unknown and repeated ones are ignored (false).
  /// `sender_tells`: the sender can be reached, so an unreported departure has not happened.
  bool received(std::size_t direction, const ReceivedMeasurement& received, bool sender_tells = true);
  void left(std::size_t direction, const DepartureNotice& departure);
  void played(std::size_t direction, const PlayedNotice& played) { directions_[direction].played(played); }
  /// Everything that left in this direction so far was sent completely: its sender's round is over. A departure says
  /// the same about those before it. A transmission that arrived without its trailing mark is scored only if this is
  /// known.
  void sender_finished(std::size_t direction) { directions_[direction].sender_finished(); }
  void recording_lost(std::size_t direction, std::uint32_t sequence, const std::string& why) {
    directions_[direction].recording_lost(sequence, why);
  }
  void fetched(std::size_t direction, std::uint32_t sequence, const std::string& recording) {
    directions_[direction].fetched(sequence, recording);
  }

  /// One-way delay of a due transmission, if departure and arrival are known and their clocks can be compared, and the
  /// arrival carries its number.
  std::optional<double> delay_ms(std::size_t direction, std::uint32_t sequence) const;

  /// Moves the next complete measurement to the results, in order, and returns its place. `last`: also one without its
  /// departure time.
  std::optional<Place> settle_next(bool last = false);
  /// Received measurements whose recordings will not arrive count without them.
  void give_up_recordings();
  /// What is on the line in this round and has not arrived: each transmission whose departure was reported; in a
  /// direction without one the next that was due, once anything of this round was reported.
  std::vector<std::pair<std::size_t, Planned>> under_way() const;
  /// Departed and not received.
  std::vector<std::pair<std::size_t, Planned>> missing() const;
  /// Enters one of these as abandoned. Its sampler does not count it: it says nothing about the stimulus.
  Place lose(std::size_t direction, const Planned& planned, const std::string& reason);
  /// Outcome of those abandoned from here on. Default line_lost; cancelled if the controller was away, which says
  /// nothing about the line.
  void give_up_as(Outcome outcome) { abandoned_as_ = outcome; }
  Outcome gives_up_as() const { return abandoned_as_; }
  /// Received in this direction, but not yet fetched.
  std::size_t unfetched(std::size_t direction) const { return to_fetch(direction).size(); }
  std::vector<ReceivedMeasurement> to_fetch(std::size_t direction) const { return directions_[direction].to_fetch(); }
  /// On a line in real time a receiver may wait for a transmission whose request its sender never got, or got too late.
  /// With `needed`, a transmission not found before its departure was reported says nothing about the line.
  void set_departures_needed(bool needed) { rules_.departures_needed = needed; }
  /// The lowest sequence number due in any direction.
  std::uint32_t least_due() const;
  /// Nothing of this round is due any more.
  bool round_complete() const;
  /// Extends this measurement's stimulus by a step (DirectionSampler::ask_for_more()); false if there is no such
  /// measurement. The time of the call makes no difference, so a continued run may repeat it.
  bool ask_for_more(End from, std::uint32_t sequence);
  /// Ends all samplers that are not finished.
  void stop(StopReason reason);
  /// Writes interval and reason of each stimulus.
  void conclude();

  std::size_t measured() const { return measured_; }
  std::size_t expected_total() const;
  /// Expected number of further measurements in a direction, with the share without a score as so far.
  std::size_t expected_more(std::size_t direction) const { return directions_[direction].expected_more(); }
  /// Line time of one transmission of each stimulus, in s, gap and marks included; call before restore(). Until this is
  /// called each takes one second, and a cap on line time is kept by the average duration so far.
  void set_line_seconds(std::vector<double> seconds) { time_.set_seconds(std::move(seconds)); }
  /// Line time of everything settled in a direction, in s, since this ledger was created; it never decreases.
  double settled_s(std::size_t direction) const { return directions_[direction].settled_s(); }
  /// Expected work left in a direction, with the share without a score as so far.
  WorkLeft work_left(std::size_t direction) const { return directions_[direction].work_left(time_); }

 private:
  void restore_direction(std::size_t direction, const RunContinuation& earlier);
  void note_level(std::size_t direction, Measurement& measurement) const;
  void tell_never_heard(std::size_t direction, const TransmissionParts& parts, Measurement& measurement) const;
  Place enter(std::size_t direction, const Planned& planned, const TransmissionParts& parts);
  void put(StimulusRun& run, Measurement measurement);

  // run_ledger_plans.cpp
  /// Number of measurements of one direction that fit if their durations are unknown.
  std::size_t budget(double used_s) const;
  /// Line time left for transmissions of a direction, in s; infinite without a cap.
  double left_s(double used_s) const;
  /// Line time of what is due in a direction and not received, in s.
  double awaited_s(std::size_t direction) const;
  /// The part of `left_s` that a direction may use in its turn, so that both get the same line time.
  double share_s(std::size_t direction, double left_s) const;
  /// What a direction may send in its turn if neither may exceed its share.
  std::vector<Planned> plan_share(std::size_t direction, double left_s, std::size_t budget) const;
  /// plan_round() limited to what ends in time.
  std::vector<Planned> plan_within(double left_s, const DirectionSampler& sampler, std::size_t direction,
                                   const std::vector<std::size_t>& under_way, std::size_t budget,
                                   Reach reach = Reach::next_look) const;
  void add_due(std::size_t direction, const std::vector<Planned>& planned);

  std::vector<std::string> stimuli_;
  RunResults results_;
  std::vector<DirectionLedger> directions_;
  OneWayDelays delays_;
  LineTime time_;
  CountingRules rules_;
  Outcome abandoned_as_ = Outcome::line_lost;
  std::uint32_t call_ = 1;
  std::uint64_t rounds_ = 0;
  bool round_begun_ = false;  // something of it was reported
  std::size_t measured_ = 0;
};

}  // namespace vqas
