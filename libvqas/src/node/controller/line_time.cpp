#include "node/controller/line_time.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace vqas {

void LineTime::set_seconds(std::vector<double> seconds) {
  seconds_ = std::move(seconds);
  known_ = true;
}

double LineTime::of(const std::vector<Planned>& planned) const {
  double sum = 0;
  for (const Planned& one : planned) sum += of(one.stimulus);
  return sum;
}

double LineTime::of_counts(const std::vector<std::size_t>& counts) const {
  double sum = 0;
  for (std::size_t s = 0; s < counts.size(); ++s) sum += of(std::vector<Planned>(counts[s], Planned{s, 0}));
  return sum;
}

double LineTime::longest_s() const {
  return *std::ranges::max_element(seconds_);
}

std::size_t LineTime::budget(double used_s, std::size_t made) const {
  if (cap_s_ <= 0 || known_) return kLongestRound;
  // The duration of a transmission is known from earlier ones; the longest stimulus and its marks are shorter than
  // this.
  constexpr double kFirstGuess_s = 10;
  const double each_s = made == 0 ? kFirstGuess_s : used_s / static_cast<double>(made);
  const double fits = each_s > 0 ? (cap_s_ - used_s) / each_s : static_cast<double>(kLongestRound);
  return static_cast<std::size_t>(std::clamp(fits, 0.0, static_cast<double>(kLongestRound)));
}

double LineTime::left_s(double used_s, double planned_s) const {
  // After a round's last transmission come the delay of the line and the tail of a capture.
  constexpr double kEndOfRound_s = 1;
  if (cap_s_ <= 0) return std::numeric_limits<double>::infinity();
  // Waiting takes line time in addition: in the same proportion as so far.
  const double waiting = planned_s > 0 ? std::max(1.0, used_s / planned_s) : 1;
  return (cap_s_ - used_s - kEndOfRound_s) / waiting;
}

}  // namespace vqas
