// What a run sends next: by its samplers, and within its cap of line time.
#include <algorithm>
#include <cmath>

#include "node/controller/run_ledger.h"

namespace vqas {

std::size_t RunLedger::budget(double used_s) const {
  std::size_t made = 0;
  for (const DirectionLedger& direction : directions_)
    made = std::max<std::size_t>(made, direction.next_sequence() - 1);
  return time_.budget(used_s, made);
}

double RunLedger::left_s(double used_s) const {
  const bool in_turn = results_.duplex == Duplex::one;
  double planned_s = 0;
  for (const DirectionLedger& direction : directions_)
    planned_s = in_turn ? planned_s + direction.planned_s() : std::max(planned_s, direction.planned_s());
  return time_.left_s(used_s, planned_s);
}

double RunLedger::awaited_s(std::size_t direction) const {
  return time_.of_counts(directions_[direction].awaited());
}

double RunLedger::share_s(std::size_t direction, double left_s) const {
  const std::size_t other = 1 - direction;
  if (directions_[other].sampler().finished() || !std::isfinite(left_s)) return left_s;
  const double own_s = directions_[direction].planned_s(), other_s = directions_[other].planned_s();
  return std::clamp((left_s + other_s - own_s) / 2, 0.0, std::max(left_s, 0.0));
}

std::vector<Planned> RunLedger::plan_within(double left_s, const DirectionSampler& sampler, std::size_t direction,
                                            const std::vector<std::size_t>& under_way, std::size_t budget,
                                            Reach reach) const {
  // Measurements left over by a longest round get no turn if less line time is left than all of them take.
  if (std::isfinite(left_s) && time_.of_counts(sampler.wanted(reach, under_way)) > left_s)
    budget = std::min(budget, kLongestRound - 1);
  for (;;) {
    auto planned = plan_round(sampler, results_.seed, direction, rounds_, directions_[direction].next_sequence(),
                              under_way, budget, reach);
    if (planned.empty() || !time_.known() || time_.of(planned) <= left_s) return planned;
    budget = planned.size() - 1;
  }
}

void RunLedger::add_due(std::size_t direction, const std::vector<Planned>& planned) {
  directions_[direction].add_due(planned, time_.of(planned));
}

bool RunLedger::plan_ahead(std::size_t lead, std::vector<std::vector<Planned>>& more, double used_s,
                           std::optional<std::size_t> only) {
  more.assign(directions(), {});
  const std::size_t fits = budget(used_s);
  bool any = false;
  for (std::size_t d = 0; d < directions(); ++d) {
    const std::vector<std::size_t> counts = directions_[d].awaited();
    const std::size_t all = awaited_in(d);
    if (all > lead || d != only.value_or(d)) continue;
    const DirectionSampler sampler = directions_[d].sampler_ahead(rules_);
    const std::size_t left = fits < kLongestRound ? fits - std::min(fits, all) : fits;
    const double behind_s = left_s(used_s) - awaited_s(d);
    const double time_s = only ? share_s(d, behind_s) : behind_s;
    more[d] = plan_within(time_s, sampler, d, counts, left);
    if (all + more[d].size() <= lead) {
      more[d] = plan_within(time_s, sampler, d, counts, left, Reach::certain);
      more[d].resize(std::min(more[d].size(), 2 * lead));
    }
    add_due(d, more[d]);
    any = any || !more[d].empty();
  }
  if (any) ++rounds_;
  return any;
}

bool RunLedger::plan_turn(std::size_t direction, std::size_t most, std::vector<std::vector<Planned>>& more,
                          double used_s) {
  more.assign(directions(), {});
  if (awaited_in(direction) > 0) return false;
  const std::size_t other = 1 - direction, away = awaited_in(other), fits = budget(used_s);
  const std::size_t left = fits < kLongestRound ? fits - std::min(fits, away) : fits;
  const double time_s = share_s(direction, left_s(used_s) - awaited_s(other));
  more[direction] =
      plan_within(time_s, directions_[direction].sampler_ahead(rules_), direction, {}, left, Reach::certain);
  more[direction].resize(std::min(more[direction].size(), most));
  add_due(direction, more[direction]);
  if (!more[direction].empty()) ++rounds_;
  return !more[direction].empty();
}

// If neither share fits a transmission, one more is sent from what is left to both.
std::vector<Planned> RunLedger::plan_share(std::size_t direction, double left_s, std::size_t budget) const {
  const std::size_t other = 1 - direction;
  auto planned = plan_within(share_s(direction, left_s), directions_[direction].sampler(), direction, {}, budget);
  if (!planned.empty() || !plan_within(share_s(other, left_s), directions_[other].sampler(), other, {}, budget).empty())
    return planned;
  planned = plan_within(left_s, directions_[direction].sampler(), direction, {}, budget);
  planned.resize(std::min<std::size_t>(planned.size(), 1));
  return planned;
}

bool RunLedger::plan_next_round(double used_s, std::size_t most, std::optional<std::size_t> only) {
  const std::size_t fits = budget(used_s);
  bool any = false, wanted = false;
  for (std::size_t d = 0; d < directions(); ++d) {
    auto planned = plan_within(left_s(used_s), directions_[d].sampler(), d, {}, fits);
    wanted = wanted || !planned.empty();
    if (only == d && !planned.empty()) planned = plan_share(d, left_s(used_s), fits);
    planned.resize(only.value_or(d) == d ? std::min(planned.size(), most) : 0);
    directions_[d].clear_due();
    add_due(d, planned);
    any = any || !planned.empty();
  }
  if (!wanted) stop(StopReason::cap_line_time);
  ++rounds_;
  round_begun_ = false;
  return any;
}

}  // namespace vqas
