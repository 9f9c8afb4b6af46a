#include "node/controller/round_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "vqas/channel/random.h"

namespace vqas {
namespace {

// Streams of Random(seed, stream, substream) that no other part of a run uses.
constexpr std::uint64_t kOrderStream = 0x6F72646572;    // "order"
constexpr std::uint64_t kRunIdStream = 0x72756E206964;  // "run id"

// Below `bound`; the bias of the 64-bit remainder is negligible.
std::size_t below(Random& random, std::size_t bound) {
  return static_cast<std::size_t>(random.next() % bound);
}

void shuffle(std::span<std::size_t> all, Random& random) {
  for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[below(random, left)]);
}

// `budget` measurements of at most `counts`, each of the stimulus with the highest gain; equal gains by random choice.
std::vector<std::size_t> by_gain(const DirectionSampler& sampler, const std::vector<std::size_t>& counts,
                                 std::vector<std::size_t> away, std::size_t budget, Random& random) {
  std::vector<std::size_t> lot(sampler.stimuli()), given(sampler.stimuli(), 0), chosen;
  std::iota(lot.begin(), lot.end(), std::size_t{0});
  shuffle(lot, random);
  std::vector<double> gain(sampler.stimuli());
  const auto look = [&](std::size_t i) { gain[i] = given[i] < counts[i] ? sampler.gain_behind(i, away[i]) : -1; };
  for (const std::size_t i : lot) look(i);
  while (chosen.size() < budget) {
    const std::size_t best = *std::ranges::max_element(lot, {}, [&](std::size_t i) { return gain[i]; });
    if (given[best] >= counts[best]) break;
    chosen.push_back(best);
    ++given[best];
    ++away[best];
    look(best);
  }
  return chosen;
}

// One of each stimulus in turn, the one with the fewest first, until `counts` are used up; in random order within each
// turn.
std::vector<std::size_t> in_turn(std::vector<std::size_t> counts, std::vector<std::size_t> before, Random& random) {
  std::vector<std::size_t> order, turn;
  for (;;) {
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > 0) least = std::min(least, before[i]);
    }
    turn.clear();
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] == 0 || before[i] != least) continue;
      turn.push_back(i);
      --counts[i];
      ++before[i];
    }
    if (turn.empty()) return order;
    shuffle(turn, random);
    order.insert(order.end(), turn.begin(), turn.end());
  }
}

}  // namespace

std::vector<Planned> plan_round(const DirectionSampler& sampler, std::uint64_t seed, std::size_t direction,
                                std::uint64_t round, std::uint32_t first_sequence,
                                const std::vector<std::size_t>& under_way, std::size_t budget, Reach reach) {
  budget = std::min(budget, kLongestRound);
  std::vector<std::size_t> firsts, later, before, coming;
  const std::vector<std::size_t> wanted = sampler.wanted(reach, under_way);
  for (std::size_t i = 0; i < sampler.stimuli(); ++i) {
    const std::size_t away = under_way.empty() ? 0 : under_way[i];
    const std::size_t have = sampler.scored(i) + away;
    const std::size_t in_turns = sampler.takes_turns() ? wanted[i] + have : sampler.first_count();
    firsts.push_back(std::min(wanted[i], in_turns - std::min(in_turns, have)));
    later.push_back(wanted[i] - firsts.back());
    before.push_back(have + (sampler.takes_turns() ? 0 : sampler.failures(i)));
    coming.push_back(away + firsts.back());
  }
  Random random(seed, kOrderStream + direction, round);
  std::vector<std::size_t> order = in_turn(firsts, before, random);
  order.resize(std::min(order.size(), budget));
  std::vector<std::size_t> rest;
  if (budget < kLongestRound && sampler.stimuli() > 0) {
    rest = by_gain(sampler, later, coming, budget - order.size(), random);
  } else {
    // Measurements beyond the longest round wait by random choice, not by gain: each will have its turn.
    for (std::size_t i = 0; i < later.size(); ++i) rest.insert(rest.end(), later[i], i);
  }
  shuffle(rest, random);
  order.insert(order.end(), rest.begin(), rest.end());
  order.resize(std::min(order.size(), budget));
  std::vector<Planned> planned;
  for (const std::size_t stimulus : order) planned.push_back({stimulus, first_sequence++});
  return planned;
}

std::uint32_t run_id_of(std::uint64_t seed, std::uint64_t salt) {
  return static_cast<std::uint32_t>(Random(seed, kRunIdStream, salt).next() & 0xFFFFFF);
}

}  // namespace vqas
