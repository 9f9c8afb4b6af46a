#include "node/round_plan.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "vqas/channel/random.h"
#include "vqas/sampling/certain.h"

namespace vqas {
namespace {

// Streams of Random(seed, stream, substream) that no other part of a run uses.
constexpr std::uint64_t kOrderStream = 0x6F72646572;    // "order"
constexpr std::uint64_t kRunIdStream = 0x72756E206964;  // "run id"

// Below `bound`, without a bias that could matter: the remainder of 64 bits.
std::size_t below(Random& random, std::size_t bound) {
  return static_cast<std::size_t>(random.next() % bound);
}

void shuffle(std::span<std::size_t> all, Random& random) {
  for (std::size_t left = all.size(); left > 1; --left) std::swap(all[left - 1], all[below(random, left)]);
}

// Stimuli by what a measurement of each of `counts` gains, those that gain alike by lot.
std::vector<std::size_t> by_gain(const std::vector<Sampler>& samplers, const std::vector<std::size_t>& counts,
                                 Random& random) {
  std::vector<std::size_t> order(samplers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(order, random);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t i) {
    return counts[i] == 0 ? 0 : samplers[i].expected_gain(counts[i]) / static_cast<double>(counts[i]);
  });
  return order;
}

// One of each stimulus in turn, the one with the fewest before, until `counts` are used up; in each turn by lot.
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

std::vector<Planned> plan_round(const std::vector<Sampler>& samplers, std::uint64_t seed, std::size_t direction,
                                std::uint64_t round, std::uint32_t first_sequence,
                                const std::vector<std::size_t>& under_way, std::size_t budget, Reach reach) {
  budget = std::min(budget, kLongestRound);
  std::vector<std::size_t> firsts, later, before;
  for (std::size_t i = 0; i < samplers.size(); ++i) {
    const Sampler& sampler = samplers[i];
    const std::size_t away = under_way.empty() ? 0 : under_way[i];
    const std::size_t wanted = reach == Reach::certain ? certain(sampler) : sampler.wanted();
    const std::size_t more = wanted - std::min(wanted, away);
    const std::size_t have = sampler.scores().size() + away;
    const std::size_t first_count = sampler.options().first_count;
    firsts.push_back(std::min(more, first_count - std::min(first_count, have)));
    later.push_back(more - firsts.back());
    before.push_back(have + sampler.failures());
  }
  Random random(seed, kOrderStream + direction, round);
  std::vector<std::size_t> order = in_turn(firsts, before, random);
  order.resize(std::min(order.size(), budget));
  const std::size_t begin = order.size();
  std::vector<std::size_t> rest;
  // What does not fit the longest round waits by lot, not by gain: it will have its turn.
  std::size_t left = budget < kLongestRound ? budget - begin : std::numeric_limits<std::size_t>::max();
  for (const std::size_t i : by_gain(samplers, later, random)) {
    const std::size_t count = std::min(later[i], left);
    rest.insert(rest.end(), count, i);
    left -= count;
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
