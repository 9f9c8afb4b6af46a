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

/// What a run has planned, what has come of it, and what its samplers want: the controller without sockets and clocks.
/// Measurements enter the results in the order of their sequence numbers, whatever came first. For one thread.
class RunLedger {
 public:
  struct Place {
    std::size_t direction = 0, stimulus = 0;
    bool broken_off = false;   ///< its sender did not finish it, which says nothing of the call
    bool never_heard = false;  ///< silence or tone came, and no mark of this direction ever has
  };

  RunLedger(const RunPlan& plan, const std::vector<std::string>& stimuli);

  std::size_t directions() const { return directions_.size(); }
  const std::vector<std::string>& stimuli() const { return stimuli_; }
  RunResults& results() { return results_; }
  /// The clock by which departures and arrivals are told; `unknown`: they cannot be compared.
  void set_delay_basis(DelayBasis basis) { delays_.set_basis(basis); }
  const RunResults& results() const { return results_; }

  /// Takes what an earlier part of the run measured, and what was due when it was broken off.
  void restore(const RunContinuation& earlier);
  /// Plans the next round; false when the samplers want nothing more. `used_s` is the line time that was used so far:
  /// where the plan caps it, a round holds what there is time for, and none is left when not one measurement fits.
  /// At most `most` in each direction, or in `only` one of them.
  bool plan_next_round(double used_s = 0, std::size_t most = kLongestRound, std::optional<std::size_t> only = {});
  /// Plans more while something is still due: what its samplers want beyond that, in each direction where no more than
  /// `lead` have not come; where they cannot tell yet, what is certain behind their next look, twice `lead` at most.
  /// What was received counts at once, also before it is settled. `more` is what was added, by direction; false when
  /// that is nothing. In `only` one direction, where they take turns.
  bool plan_ahead(std::size_t lead, std::vector<std::vector<Planned>>& more, double used_s = 0,
                  std::optional<std::size_t> only = {});
  /// Plans a turn of one direction, of which everything has come, behind what is due in the other one: all that is
  /// certain, `most` at most. Where line time is capped both directions get as much of it. `more` as in plan_ahead().
  bool plan_turn(std::size_t direction, std::size_t most, std::vector<std::vector<Planned>>& more, double used_s = 0);
  /// Due in this direction, and not received.
  std::size_t awaited_in(std::size_t direction) const { return directions_[direction].awaited_in_all(); }
  /// A mark of this direction, or speech that was scored, has come in this run.
  bool ever_heard(std::size_t direction) const { return directions_[direction].heard(); }
  /// The last of this direction that was told was found; true before any was.
  bool last_found(std::size_t direction) const { return directions_[direction].last_found(); }
  /// Line time of the longest transmission, in s.
  double longest_s() const { return time_.longest_s(); }
  /// Forgets what is due and was not received: it will not come, and its numbers are not used again.
  void forget_missing();
  /// What is due and what was ever planned, into the record.
  void describe(SessionRecord& record) const;
  const std::deque<Planned>& due(std::size_t direction) const { return directions_[direction].due(); }

  /// The transmissions in this direction leave through a device that tells how it went; it is waited for.
  void expect_played(std::size_t direction) { directions_[direction].expect_played(); }
  /// A lost call says nothing of a stimulus: somebody makes it again, so its sampler does not count it.
  void spare_lost(bool spare) { rules_.spare_lost = spare; }
  /// What is entered from here on came through a call that was made again. One in which nothing was scored is no call.
  void begin_call();
  /// What is scored now comes through this one, from 1.
  std::uint32_t call() const { return call_; }
  /// What to add to arrival less departure, by the machines' own clocks, in this direction: synchronised ones.
  void set_clocks_apart_ns(std::size_t direction, std::int64_t value) { delays_.set_clocks_apart_ns(direction, value); }
  DelayBasis delay_basis() const { return delays_.basis(); }
  /// Largest error of a delay by the two ends' clocks, in ms.
  void set_clock_uncertainty_ms(double value) { delays_.set_clock_uncertainty_ms(value); }
  /// Of a one-way delay, by sound devices of which nobody knows their own.
  void set_device_uncertainty_ms(double value) { delays_.set_device_uncertainty_ms(value); }

  /// What came; each of the three is needed before a measurement counts. Unknown and repeated ones are ignored (false).
  /// `sender_tells`: the sender can be reached, so that a departure that was not told has not been.
  bool received(std::size_t direction, const ReceivedMeasurement& received, bool sender_tells = true);
  void left(std::size_t direction, const DepartureNotice& departure);
  void played(std::size_t direction, const PlayedNotice& played) { directions_[direction].played(played); }
  /// Whatever left in this direction until now has left to its end: its sender's round is over. A departure says the
  /// same of those before it. What arrived without its trailing mark has a score only where this is known.
  void sender_finished(std::size_t direction) { directions_[direction].sender_finished(); }
  void fetched(std::size_t direction, std::uint32_t sequence, const std::string& recording) {
    directions_[direction].fetched(sequence, recording);
  }

  /// One-way delay of what is due, when departure and arrival are known and by clocks that can be compared.
  std::optional<double> delay_ms(std::size_t direction, std::uint32_t sequence) const;

  /// Moves the next measurement that is complete to the results, in order, and tells where it went. `last`: also one
  /// that lacks its departure time.
  std::optional<Place> settle_next(bool last = false);
  /// What was received, but whose recording will not come any more, counts without it.
  void give_up_recordings();
  /// What is on the line in this round and has not come: each transmission whose departure was told; in a direction
  /// without one the next that was due, once anything of this round was told.
  std::vector<std::pair<std::size_t, Planned>> under_way() const;
  /// What left and was not received.
  std::vector<std::pair<std::size_t, Planned>> missing() const;
  /// Enters one of these as abandoned. Its sampler does not count it: it says nothing of the stimulus.
  Place lose(std::size_t direction, const Planned& planned, const std::string& reason);
  /// What is abandoned from here on, line_lost until this is called: or cancelled, where the controller was away, which
  /// says nothing of the line.
  void give_up_as(Outcome outcome) { abandoned_as_ = outcome; }
  Outcome gives_up_as() const { return abandoned_as_; }
  /// Received in this direction, but not yet fetched.
  std::size_t unfetched(std::size_t direction) const { return to_fetch(direction).size(); }
  std::vector<ReceivedMeasurement> to_fetch(std::size_t direction) const { return directions_[direction].to_fetch(); }
  /// On a line in real time a receiver waits for what the sender may never have been told to send, or later than the
  /// receiver's patience lasts: what it did not find before anybody saw it leave says nothing of the line.
  void set_departures_needed(bool needed) { rules_.departures_needed = needed; }
  /// The least sequence number that is due in any direction.
  std::uint32_t least_due() const;
  /// Nothing of this round is due any more.
  bool round_complete() const;
  /// Puts off the end of this measurement's stimulus by a step (Sampler::ask_for_more()); false when there is no such
  /// measurement. When it is asked makes no difference, so that a run that is gone on with may ask all over again.
  bool ask_for_more(const std::string& from, const std::string& to, std::uint32_t sequence);
  /// Ends all samplers that are not finished.
  void stop(StopReason reason);
  /// Writes interval and reason of each stimulus.
  void conclude();

  std::size_t measured() const { return measured_; }
  std::size_t expected_total() const;
  /// How many more will be made in a direction by what its samplers expect, with as many without a score as until now.
  std::size_t expected_more(std::size_t direction) const { return directions_[direction].expected_more(); }
  /// Line time of one transmission of each stimulus, in s, gap and marks included; before restore(). A second each
  /// until this is called, and a cap of line time is kept by what transmissions took on average.
  void set_line_seconds(std::vector<double> seconds) { time_.set_seconds(std::move(seconds)); }
  /// Line time of all that has been settled in a direction, in s, since this ledger was made; it never falls.
  double settled_s(std::size_t direction) const { return directions_[direction].settled_s(); }
  /// What is left in a direction by what its samplers expect, with as many without a score as until now.
  WorkLeft work_left(std::size_t direction) const { return directions_[direction].work_left(time_); }

 private:
  void restore_direction(std::size_t direction, const RunContinuation& earlier);
  void note_level(std::size_t direction, Measurement& measurement) const;
  void tell_never_heard(std::size_t direction, const TransmissionParts& parts, Measurement& measurement) const;
  Place enter(std::size_t direction, const Planned& planned, const TransmissionParts& parts);
  void put(StimulusRun& run, Measurement measurement);

  // run_ledger_plans.cpp
  /// Measurements of one direction that there is line time for, where their lengths are not known.
  std::size_t budget(double used_s) const;
  /// Line time that is left for transmissions of a direction, in s; infinite without a cap.
  double left_s(double used_s) const;
  /// Line time of what is due in a direction and was not received, in s.
  double awaited_s(std::size_t direction) const;
  /// What of `left_s` a direction may use in its turn, so that both come to the same line time.
  double share_s(std::size_t direction, double left_s) const;
  /// What a direction may send in its turn, where neither is to get more than its share.
  std::vector<Planned> plan_share(std::size_t direction, double left_s, std::size_t budget) const;
  /// Line time of what these samplers want beyond what is under way, in s; 0 where their lengths are not known.
  double wanted_s(const std::vector<Sampler>& samplers, const std::vector<std::size_t>& under_way, Reach reach) const;
  /// plan_round() with no more than ends in time.
  std::vector<Planned> plan_within(double left_s, const std::vector<Sampler>& samplers, std::size_t direction,
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
  bool round_begun_ = false;  // something of it was told
  std::size_t measured_ = 0;
};

}  // namespace vqas
