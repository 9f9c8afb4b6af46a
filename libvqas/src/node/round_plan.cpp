#include "node/round_plan.h"

#include <algorithm>
#include <functional>
#include <limits>
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

}  // namespace

std::vector<std::size_t> share_out(const std::vector<Sampler>& samplers, std::size_t budget,
                                   const std::vector<std::size_t>& under_way, Reach reach) {
  std::vector<std::size_t> counts;
  std::size_t all = 0;
  for (std::size_t i = 0; i < samplers.size(); ++i) {
    const std::size_t wanted = reach == Reach::certain ? certain(samplers[i]) : samplers[i].wanted();
    all += counts.emplace_back(wanted - std::min(wanted, under_way.empty() ? 0 : under_way[i]));
  }
  if (all <= budget) return counts;
  const auto gain = [&](std::size_t i) {
    return counts[i] == 0 ? 0 : samplers[i].expected_gain(counts[i]) / static_cast<double>(counts[i]);
  };
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < samplers.size(); ++i) order.emplace_back(gain(i), i);
  std::ranges::stable_sort(order, std::ranges::greater(), [](const auto& one) { return one.first; });
  for (const auto& [unused, i] : order) {
    counts[i] = std::min(counts[i], budget);
    budget -= counts[i];
  }
  return counts;
}

std::vector<Planned> plan_round(const std::vector<Sampler>& samplers, std::uint64_t seed, std::size_t direction,
                                std::uint64_t round, std::uint32_t first_sequence,
                                const std::vector<std::size_t>& under_way, std::size_t budget, Reach reach) {
  // What does not fit the longest round waits by lot, not by gain: it will have its turn.
  const std::vector<std::size_t> counts =
      share_out(samplers, budget < kLongestRound ? budget : std::numeric_limits<std::size_t>::max(), under_way, reach);
  std::vector<Planned> planned;
  for (std::size_t stimulus = 0; stimulus < samplers.size(); ++stimulus) {
    planned.insert(planned.end(), counts[stimulus], Planned{stimulus, 0});
  }
  Random random(seed, kOrderStream + direction, round);
  for (std::size_t left = planned.size(); left > 1; --left) std::swap(planned[left - 1], planned[below(random, left)]);
  planned.resize(std::min(planned.size(), kLongestRound));
  for (Planned& one : planned) one.sequence = first_sequence++;
  return planned;
}

std::uint32_t run_id_of(std::uint64_t seed, std::uint64_t salt) {
  return static_cast<std::uint32_t>(Random(seed, kRunIdStream, salt).next() & 0xFFFFFF);
}

}  // namespace vqas
