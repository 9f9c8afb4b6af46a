#pragma once

#include <cstddef>
#include <vector>

#include "node/controller/round_plan.h"

namespace vqas {

/// Line time of transmissions, gap and marks included, and the part of it that a run may use. A value.
class LineTime {
 public:
  /// `cap_s` 0: no cap.
  LineTime(std::size_t stimuli, double cap_s) : seconds_(stimuli, 1), cap_s_(cap_s) {}

  /// By stimulus. Until this is called each takes one second, and a cap is kept by the average duration so far.
  void set_seconds(std::vector<double> seconds);
  bool known() const { return known_; }
  /// Of one stimulus; 0 if unknown.
  double of(std::size_t stimulus) const { return known_ ? seconds_.at(stimulus) : 0; }
  double of(const std::vector<Planned>& planned) const;
  /// Of these numbers of each stimulus.
  double of_counts(const std::vector<std::size_t>& counts) const;
  /// Of one stimulus; one second if unknown.
  double about(std::size_t stimulus) const { return seconds_[stimulus]; }
  double longest_s() const;

  /// Number of transmissions of one direction that fit if their durations are unknown, at most kLongestRound; `made`
  /// were made in `used_s`.
  std::size_t budget(double used_s, std::size_t made) const;
  /// Time left for transmissions of a direction; infinite without a cap. `planned_s` of them were planned.
  double left_s(double used_s, double planned_s) const;

 private:
  std::vector<double> seconds_;
  bool known_ = false;
  double cap_s_ = 0;
};

}  // namespace vqas
