// What a run sends next: by its samplers, and within its cap of line time.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "node/controller/run_ledger.h"
#include "vqas/sampling/certain.h"

namespace vqas {

std::size_t RunLedger::budget(double used_s) const {
  if (cap_line_time_s_ <= 0 || lengths_known_) return kLongestRound;
  // What a transmission takes is known from those that were made; the longest stimulus and its marks are shorter.
  constexpr double kFirstGuess_s = 10;
  std::size_t most = 0;
  for (const std::uint32_t next : next_sequence_) most = std::max<std::size_t>(most, next - 1);
  const double each_s = most == 0 ? kFirstGuess_s : used_s / static_cast<double>(most);
  const double fits = each_s > 0 ? (cap_line_time_s_ - used_s) / each_s : static_cast<double>(kLongestRound);
  return static_cast<std::size_t>(std::clamp(fits, 0.0, static_cast<double>(kLongestRound)));
}

double RunLedger::left_s(double used_s) const {
  // The delay of the line and the tail of a capture come after a round's last transmission.
  constexpr double kEndOfRound_s = 1;
  if (cap_line_time_s_ <= 0) return std::numeric_limits<double>::infinity();
  // Waiting takes line time besides what is sent: as much of it as until now.
  const bool in_turn = results_.duplex == "one";
  const double planned_s = in_turn ? std::accumulate(planned_s_.begin(), planned_s_.end(), 0.0)
                                   : *std::max_element(planned_s_.begin(), planned_s_.end());
  const double stretch = planned_s > 0 ? std::max(1.0, used_s / planned_s) : 1;
  return (cap_line_time_s_ - used_s - kEndOfRound_s) / stretch;
}

double RunLedger::seconds_of(const std::vector<Planned>& planned) const {
  double sum = 0;
  for (const Planned& one : planned) sum += !lengths_known_ ? 0 : line_seconds_.at(one.stimulus);
  return sum;
}

double RunLedger::awaited_s(std::size_t direction) const {
  const std::vector<std::size_t> counts = awaited(direction);
  double sum = 0;
  for (std::size_t s = 0; s < counts.size(); ++s) sum += seconds_of(std::vector<Planned>(counts[s], Planned{s, 0}));
  return sum;
}

std::size_t RunLedger::awaited_in(std::size_t direction) const {
  const std::vector<std::size_t> counts = awaited(direction);
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

double RunLedger::share_s(std::size_t direction, double left_s) const {
  const std::size_t other = 1 - direction;
  const bool alone = std::ranges::all_of(samplers_[other], &Sampler::finished);
  if (alone || !std::isfinite(left_s)) return left_s;
  const double own_s = planned_s_[direction], other_s = planned_s_[other];
  return std::clamp((left_s + other_s - own_s) / 2, 0.0, std::max(left_s, 0.0));
}

double RunLedger::wanted_s(const std::vector<Sampler>& samplers, const std::vector<std::size_t>& under_way,
                           Reach reach) const {
  double sum = 0;
  for (std::size_t s = 0; s < samplers.size(); ++s) {
    const std::size_t wanted = reach == Reach::certain ? certain(samplers[s]) : samplers[s].wanted();
    const std::size_t away = under_way.empty() ? 0 : under_way[s];
    sum += static_cast<double>(wanted - std::min(wanted, away)) * (lengths_known_ ? line_seconds_[s] : 0);
  }
  return sum;
}

std::vector<Planned> RunLedger::plan_within(double left_s, const std::vector<Sampler>& samplers, std::size_t direction,
                                            const std::vector<std::size_t>& under_way, std::size_t budget,
                                            Reach reach) const {
  // What a longest round leaves over will not have its turn where less line time is left than all of it takes.
  if (std::isfinite(left_s) && wanted_s(samplers, under_way, reach) > left_s)
    budget = std::min(budget, kLongestRound - 1);
  for (;;) {
    auto planned =
        plan_round(samplers, results_.seed, direction, rounds_, next_sequence_[direction], under_way, budget, reach);
    if (planned.empty() || !lengths_known_ || seconds_of(planned) <= left_s) return planned;
    budget = planned.size() - 1;
  }
}

void RunLedger::add_due(std::size_t direction, const std::vector<Planned>& planned) {
  due_[direction].insert(due_[direction].end(), planned.begin(), planned.end());
  next_sequence_[direction] += static_cast<std::uint32_t>(planned.size());
  planned_s_[direction] += seconds_of(planned);
}

std::vector<Sampler> RunLedger::samplers_ahead(std::size_t direction) const {
  std::vector<Sampler> samplers = samplers_[direction];
  for (const Planned& one : due_[direction]) {
    const auto parts = parts_[direction].find(one.sequence);
    if (parts == parts_[direction].end() || !parts->second.received || was_not_sent(direction, parts->second)) continue;
    enter(parts->second.received->measurement, samplers[one.stimulus]);
  }
  return samplers;
}

std::vector<std::size_t> RunLedger::awaited(std::size_t direction) const {
  std::vector<std::size_t> counts(stimuli_.size(), 0);
  for (const Planned& one : due_[direction]) {
    const auto parts = parts_[direction].find(one.sequence);
    if (parts == parts_[direction].end() || !parts->second.received) ++counts[one.stimulus];
  }
  return counts;
}

bool RunLedger::plan_ahead(std::size_t lead, std::vector<std::vector<Planned>>& more, double used_s,
                           std::optional<std::size_t> only) {
  more.assign(directions(), {});
  const std::size_t fits = budget(used_s);
  bool any = false;
  for (std::size_t d = 0; d < directions(); ++d) {
    const std::vector<std::size_t> counts = awaited(d);
    const std::size_t all = awaited_in(d);
    if (all > lead || d != only.value_or(d)) continue;
    const std::vector<Sampler> samplers = samplers_ahead(d);
    const std::size_t left = fits < kLongestRound ? fits - std::min(fits, all) : fits;
    const double behind_s = left_s(used_s) - awaited_s(d);
    const double time_s = only ? share_s(d, behind_s) : behind_s;
    more[d] = plan_within(time_s, samplers, d, counts, left);
    if (all + more[d].size() <= lead) {
      more[d] = plan_within(time_s, samplers, d, counts, left, Reach::certain);
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
  more[direction] = plan_within(time_s, samplers_ahead(direction), direction, {}, left, Reach::certain);
  more[direction].resize(std::min(more[direction].size(), most));
  add_due(direction, more[direction]);
  if (!more[direction].empty()) ++rounds_;
  return !more[direction].empty();
}

// Where neither share holds a transmission, one more is sent of what is left to both.
std::vector<Planned> RunLedger::plan_share(std::size_t direction, double left_s, std::size_t budget) const {
  const std::size_t other = 1 - direction;
  auto planned = plan_within(share_s(direction, left_s), samplers_[direction], direction, {}, budget);
  if (!planned.empty() || !plan_within(share_s(other, left_s), samplers_[other], other, {}, budget).empty())
    return planned;
  planned = plan_within(left_s, samplers_[direction], direction, {}, budget);
  planned.resize(std::min<std::size_t>(planned.size(), 1));
  return planned;
}

bool RunLedger::plan_next_round(double used_s, std::size_t most, std::optional<std::size_t> only) {
  const std::size_t fits = budget(used_s);
  bool any = false, wanted = false;
  for (std::size_t d = 0; d < directions(); ++d) {
    auto planned = plan_within(left_s(used_s), samplers_[d], d, {}, fits);
    wanted = wanted || !planned.empty();
    if (only == d && !planned.empty()) planned = plan_share(d, left_s(used_s), fits);
    planned.resize(only.value_or(d) == d ? std::min(planned.size(), most) : 0);
    due_[d].clear();
    add_due(d, planned);
    any = any || !planned.empty();
  }
  if (!wanted) stop(StopReason::cap_line_time);
  ++rounds_;
  round_begun_ = false;
  return any;
}

}  // namespace vqas
