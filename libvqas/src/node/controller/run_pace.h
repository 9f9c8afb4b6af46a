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

/// The pace of a run, by the caller's clock: a part proportional to the line time of the measurements, and a pause at
/// the start of each round until its first result, taken as the median of the last three. In real time the first is
/// close to 1 and rounds are few; in virtual time the first depends on the machine, and the pauses over a slow control
/// link weigh as much. A measurement's weight falls by e in 45 s of line time: a run starts slowly, and a machine gets
/// other work. Times are in seconds of any clock that runs forwards. A value; for one thread.
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
