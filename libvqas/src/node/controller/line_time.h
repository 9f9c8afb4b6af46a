#pragma once

#include <cstddef>
#include <vector>

#include "node/controller/round_plan.h"

namespace vqas {

/// How much line time transmissions take, gap and marks included, and how much of it a run may use. A value.
class LineTime {
 public:
  /// `cap_s` 0: no cap.
  LineTime(std::size_t stimuli, double cap_s) : seconds_(stimuli, 1), cap_s_(cap_s) {}

  /// By stimulus. A second each until this is called, and a cap is kept by what transmissions took on average.
  void set_seconds(std::vector<double> seconds);
  bool known() const { return known_; }
  /// Of one stimulus; 0 where it is not known.
  double of(std::size_t stimulus) const { return known_ ? seconds_.at(stimulus) : 0; }
  double of(const std::vector<Planned>& planned) const;
  /// Of so many of each stimulus.
  double of_counts(const std::vector<std::size_t>& counts) const;
  /// Of one stimulus; a second where it is not known.
  double about(std::size_t stimulus) const { return seconds_[stimulus]; }
  double longest_s() const;

  /// Transmissions of one direction that there is time for, where their lengths are not known, kLongestRound at most;
  /// `made` were made in `used_s`.
  std::size_t budget(double used_s, std::size_t made) const;
  /// What is left for transmissions of a direction; infinite without a cap. `planned_s` were planned.
  double left_s(double used_s, double planned_s) const;

 private:
  std::vector<double> seconds_;
  bool known_ = false;
  double cap_s_ = 0;
};

}  // namespace vqas
