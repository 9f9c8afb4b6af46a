#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

  std::size_t directions() const { return samplers_.size(); }
  const std::vector<std::string>& stimuli() const { return stimuli_; }
  RunResults& results() { return results_; }
  /// The clock by which departures and arrivals are told; `unknown`: they cannot be compared.
  void set_delay_basis(DelayBasis basis) { delay_basis_ = basis; }
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
  std::size_t awaited_in(std::size_t direction) const;
  /// A mark of this direction, or speech that was scored, has come in this run.
  bool ever_heard(std::size_t direction) const { return heard_[direction]; }
  /// The last of this direction that was told was found; true before any was.
  bool last_found(std::size_t direction) const { return last_found_[direction]; }
  /// Line time of the longest transmission, in s.
  double longest_s() const { return *std::max_element(line_seconds_.begin(), line_seconds_.end()); }
  /// Forgets what is due and was not received: it will not come, and its numbers are not used again.
  void forget_missing();
  /// What is due and what was ever planned, into the record.
  void describe(SessionRecord& record) const;
  const std::deque<Planned>& due(std::size_t direction) const { return due_[direction]; }

  /// The transmissions in this direction leave through a device that tells how it went; it is waited for.
  void expect_played(std::size_t direction) { wants_played_[direction] = true; }
  /// A lost call says nothing of a stimulus: somebody makes it again, so its sampler does not count it.
  void spare_lost(bool spare) { spare_lost_ = spare; }
  /// What is entered from here on came through a call that was made again. One in which nothing was scored is no call.
  void begin_call();
  /// What is scored now comes through this one, from 1.
  std::uint32_t call() const { return call_; }
  /// What to add to arrival less departure, by the machines' own clocks, in this direction: synchronised ones.
  void set_clocks_apart_ns(std::size_t direction, std::int64_t value) { clocks_apart_ns_[direction] = value; }
  DelayBasis delay_basis() const { return delay_basis_; }
  /// Largest error of a delay by the two ends' clocks, in ms.
  void set_clock_uncertainty_ms(double value) { clock_uncertainty_ms_ = value; }
  /// Of a one-way delay, by sound devices of which nobody knows their own.
  void set_device_uncertainty_ms(double value) { device_uncertainty_ms_ = value; }

  /// What came; each of the three is needed before a measurement counts. Unknown and repeated ones are ignored (false).
  /// `sender_tells`: the sender can be reached, so that a departure that was not told has not been.
  bool received(std::size_t direction, const ReceivedMeasurement& received, bool sender_tells = true);
  void left(std::size_t direction, const DepartureNotice& departure);
  void played(std::size_t direction, const PlayedNotice& played);
  /// Whatever left in this direction until now has left to its end: its sender's round is over. A departure says the
  /// same of those before it. What arrived without its trailing mark has a score only where this is known.
  void sender_finished(std::size_t direction);
  void fetched(std::size_t direction, std::uint32_t sequence, const std::string& recording);

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
  /// Enters one of these as given up. Its sampler does not count it: it says nothing of the stimulus.
  Place lose(std::size_t direction, const Planned& planned, const std::string& reason);
  /// What is given up from here on, line_lost until this is called: or cancelled, where the controller was away, which
  /// says nothing of the line.
  void give_up_as(Outcome outcome) { given_up_as_ = outcome; }
  Outcome gives_up_as() const { return given_up_as_; }
  /// Received in this direction, but not yet fetched.
  std::size_t unfetched(std::size_t direction) const { return to_fetch(direction).size(); }
  std::vector<ReceivedMeasurement> to_fetch(std::size_t direction) const;
  /// On a line in real time a receiver waits for what the sender may never have been told to send, or later than the
  /// receiver's patience lasts: what it did not find before anybody saw it leave says nothing of the line.
  void set_departures_needed(bool needed) { departures_needed_ = needed; }
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
  std::size_t expected_more(std::size_t direction) const;
  /// Line time of one transmission of each stimulus, in s, gap and marks included; before restore(). A second each
  /// until this is called, and a cap of line time is kept by what transmissions took on average.
  void set_line_seconds(std::vector<double> seconds) {
    line_seconds_ = std::move(seconds);
    lengths_known_ = true;
  }
  /// Line time of all that has been settled in a direction, in s, since this ledger was made; it never falls.
  double settled_s(std::size_t direction) const { return settled_s_[direction]; }
  /// What is left in a direction by what its samplers expect, with as many without a score as until now.
  WorkLeft work_left(std::size_t direction) const;

 private:
  struct Parts {
    std::optional<ReceivedMeasurement> received;
    std::optional<DepartureNotice> left;
    std::optional<LineNotes> played;
    std::optional<std::string> recording;
    bool unsent = false;  // it was received, or given up, before it was seen to leave
    bool whole = false;   // it left to its end, as its sender says
  };
  // What arrival less departure is by two clocks that have nothing to do with each other.
  struct Apparent {
    double delay_ms = 0;
    std::int64_t at_a_ns = 0;  // by the machine's clock of end a
  };
  /// It has a score, and may be the beginning of what its sender did not finish.
  static bool may_be_broken_off(const Parts& parts);
  void note_level(std::size_t direction, Measurement& measurement) const;
  void judge_sender(std::size_t direction, const Parts& parts, Measurement& measurement);
  std::string add_delay(std::size_t direction, const Parts& parts, Measurement& measurement);
  /// Measurements of one direction that there is line time for, where their lengths are not known.
  std::size_t budget(double used_s) const;
  /// Line time that is left for transmissions of a direction, in s; infinite without a cap.
  double left_s(double used_s) const;
  double seconds_of(const std::vector<Planned>& planned) const;
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
  bool is_due(std::size_t direction, std::uint32_t sequence) const;
  /// The samplers with what was received but is not settled yet.
  std::vector<Sampler> samplers_ahead(std::size_t direction) const;
  /// What is due of each stimulus and has not come.
  std::vector<std::size_t> awaited(std::size_t direction) const;
  /// It was not found, and had not been seen to leave by then: nothing at all, even if it left afterwards.
  bool was_not_sent(std::size_t direction, const Parts& parts) const;
  void put(StimulusRun& run, Measurement measurement);
  std::optional<double> delay_ms(std::size_t direction, const Parts& parts) const;
  void enter(const Measurement& measurement, Sampler& sampler) const;
  void tell_never_heard(std::size_t direction, const Parts& parts, Measurement& measurement) const;
  Place enter(std::size_t direction, const Planned& planned, const Parts& parts);
  void put_off(std::size_t direction, std::size_t stimulus);

  std::vector<std::string> stimuli_;
  RunResults results_;
  std::vector<double> line_seconds_;             // by stimulus
  std::vector<double> settled_s_;                // by direction
  std::vector<std::vector<Sampler>> samplers_;   // by direction and stimulus
  std::vector<std::vector<std::size_t>> asked_;  // for how many more, in all, likewise
  std::vector<std::deque<Planned>> due_;         // by direction
  std::vector<std::map<std::uint32_t, Parts>> parts_;
  std::vector<std::uint32_t> next_sequence_;
  std::vector<bool> wants_played_;
  std::vector<bool> last_found_;
  std::vector<bool> heard_;
  std::vector<UsualDrift> drift_;                  // by direction
  std::vector<std::optional<Apparent>> apparent_;  // by direction, the last one
  // By how much arrivals lie behind departures by two clocks that need not agree, from the last one that was found.
  struct Behind {
    std::int64_t left_ns = 0, ns = 0;
  };
  std::vector<std::optional<Behind>> behind_;  // by direction
  std::vector<std::int64_t> clocks_apart_ns_;  // by direction
  double clock_uncertainty_ms_ = 0;
  double device_uncertainty_ms_ = 0;
  bool spare_lost_ = false;
  Outcome given_up_as_ = Outcome::line_lost;
  std::uint32_t call_ = 1;
  DelayBasis delay_basis_ = DelayBasis::unknown;
  double cap_line_time_s_ = 0;
  bool lengths_known_ = false;     // of line_seconds_
  std::vector<double> planned_s_;  // of line time, by direction, of all that was planned and not forgotten
  std::uint64_t rounds_ = 0;
  bool round_begun_ = false;  // something of it was told
  bool departures_needed_ = false;
  std::size_t measured_ = 0;
};

}  // namespace vqas
