#include "node/round_plan.h"

#include <algorithm>
#include <utility>

#include "vqas/channel/random.h"

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

std::vector<Planned> plan_round(const std::vector<Sampler>& samplers, std::uint64_t seed, std::size_t direction,
                                std::uint64_t round, std::uint32_t first_sequence,
                                const std::vector<std::size_t>& under_way) {
  std::vector<Planned> planned;
  for (std::size_t stimulus = 0; stimulus < samplers.size(); ++stimulus) {
    const std::size_t before = under_way.empty() ? 0 : under_way[stimulus];
    const std::size_t wanted = samplers[stimulus].wanted();
    planned.insert(planned.end(), wanted - std::min(wanted, before), Planned{stimulus, 0});
  }
  Random random(seed, kOrderStream + direction, round);
  for (std::size_t left = planned.size(); left > 1; --left) std::swap(planned[left - 1], planned[below(random, left)]);
  planned.resize(std::min(planned.size(), kLongestRound));
  for (Planned& one : planned) one.sequence = first_sequence++;
  return planned;
}

std::uint32_t run_id_of(std::uint64_t seed) {
  return static_cast<std::uint32_t>(Random(seed, kRunIdStream).next() & 0xFFFFFF);
}

}  // namespace vqas
