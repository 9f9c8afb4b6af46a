#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace vqas {

/// Work left in a run, in seconds of line time: of transmissions with their marks, without pauses.
struct WorkLeft {
  double round_s = 0;            ///< planned in the current round, and not arrived
  double later_s = 0;            ///< expected after it
  std::size_t later_rounds = 0;  ///< number of rounds for that
};

/// How fast a run gets on, by the clock that it is asked for: a part that grows with the line time of what is measured,
/// and a pause at each round in which its first result is waited for, as long as the middle one of the last three. In
/// real time the first is close to 1 and rounds are few; in virtual time the first is what the machine makes of it, and
/// the pauses over a late control link weigh as much. What was measured counts for the pace less with each second of
/// line time behind it, by e in 45 s: a run begins slower than it goes on, and a machine gets other work. Times are in
/// seconds of any clock that goes forwards; the caller reads it. A value; for one thread.
class RunPace {
 public:
  void round_begun(double now_s);
  /// `done_s`: line time of everything that has arrived in this round; it never decreases.
  void came(double now_s, double done_s);
  /// The arrival times of everything so far are unknown, or nothing could arrive: it says nothing about the pace.
  void resumed(double now_s, double done_s);
  /// Time left at `now_s`, in s; nothing while less than two results have arrived.
  std::optional<double> left_s(double now_s, const WorkLeft& work) const;

 private:
  struct Round {
    double begun_s = 0, first_s = 0, first_done_s = 0, last_s = 0, last_done_s = 0;
    double untimed_s = 0;  // of last_done_s
    bool any = false;
  };
  double each_s() const;              // for a second of line time
  double pause_s(double each) const;  // of a round

  std::vector<Round> rounds_;                // the last few
  double recent_s_ = 0, recent_done_s_ = 0;  // spent, and the line time it brought, without the pauses
};

}  // namespace vqas
