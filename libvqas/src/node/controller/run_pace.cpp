#include "node/controller/run_pace.h"

#include <algorithm>
#include <cmath>

namespace vqas {
namespace {

constexpr std::size_t kRemembered = 10;  // rounds
constexpr double kFades_s = 45;          // of line time

}  // namespace

void RunPace::round_begun(double now_s) {
  std::erase_if(rounds_, [](const Round& round) { return !round.any; });
  if (rounds_.size() == kRemembered) rounds_.erase(rounds_.begin());
  rounds_.push_back({.begun_s = now_s});
}

void RunPace::came(double now_s, double done_s) {
  if (rounds_.empty()) round_begun(now_s);
  Round& round = rounds_.back();
  if (done_s <= (round.any ? round.last_done_s : 0)) return;
  if (!round.any) {
    round.first_s = now_s;
    round.first_done_s = done_s;
    round.any = true;
  } else {
    const double more_s = done_s - round.last_done_s;
    const double fade = std::exp(-more_s / kFades_s);
    recent_s_ = recent_s_ * fade + now_s - round.last_s;
    recent_done_s_ = recent_done_s_ * fade + more_s;
  }
  round.last_s = now_s;
  round.last_done_s = done_s;
}

void RunPace::resumed(double now_s, double done_s) {
  if (rounds_.empty()) return;
  Round& round = rounds_.back();
  if (!round.any) {
    round.begun_s = now_s;
    return;
  }
  const double gap_s = now_s - round.last_s;
  round.begun_s += gap_s;
  round.first_s += gap_s;
  round.last_s = now_s;
  const double done = std::max(done_s, round.last_done_s);
  round.untimed_s += done - round.last_done_s;
  round.last_done_s = done;
}

double RunPace::each_s() const {
  if (recent_done_s_ > 0) return recent_s_ / recent_done_s_;
  double all_spent = 0, all_done = 0;
  for (const Round& round : rounds_) {
    if (!round.any) continue;
    all_spent = all_spent / 2 + round.last_s - round.begun_s;
    all_done = all_done / 2 + round.last_done_s - round.untimed_s;
  }
  // Rounds of one transmission each; a single first result is mostly the wait for it.
  return rounds_.size() > 1 && all_done > 0 ? all_spent / all_done : -1;
}

// The median of the last three, the smaller of two: what kept the machine busy in one round says nothing about the
// next.
double RunPace::pause_s(double each) const {
  constexpr std::size_t kCompared = 3;
  std::vector<double> pauses;
  for (auto round = rounds_.rbegin(); round != rounds_.rend() && pauses.size() < kCompared; ++round) {
    if (round->any) pauses.push_back(std::max(0.0, round->first_s - round->begun_s - each * round->first_done_s));
  }
  if (pauses.empty()) return 0;
  std::ranges::sort(pauses);
  return pauses[(pauses.size() - 1) / 2];
}

std::optional<double> RunPace::left_s(double now_s, const WorkLeft& work) const {
  const double each = each_s();
  if (each < 0) return std::nullopt;
  const double pause = pause_s(each);
  const Round& round = rounds_.back();
  // From the last result, or from the start of the wait for the first one; lateness is not made up for.
  double under_way = 0;
  if (round.any) {
    under_way = each * work.round_s - (now_s - round.last_s);
  } else if (work.round_s > 0) {
    under_way = pause + each * work.round_s - (now_s - round.begun_s);
  }
  return std::max(under_way, 0.0) + pause * static_cast<double>(work.later_rounds) + each * work.later_s;
}

}  // namespace vqas
