#pragma once

#include <cstdint>
#include <vector>

#include "vqas/sampling/direction_sampler.h"

namespace vqas {

/// One planned measurement.
struct Planned {
  std::size_t stimulus = 0;  ///< position in the run's list
  std::uint32_t sequence = 0;
};

/// Most transmissions of one direction in a round: ten minutes of line time, after which the samplers decide again.
inline constexpr std::size_t kLongestRound = 100;

/// Number of transmissions of a direction that are still due when more are planned on a line in real time: about 20 s
/// of line time, enough for results to return and a request to go out even over a bad link.
inline constexpr std::size_t kLead = 3;

/// The transmissions of one direction in the next round, at most `budget`. First one of each stimulus in turn until
/// each has its first count (SamplerOptions::first_count), in random order within each turn: no stimulus gets more than
/// one ahead of another, and if time is short, chance decides which gets one less. Then what the samplers need beyond
/// that, in random order, so that no drift of the line falls on one stimulus; if a budget below the longest round does
/// not suffice, each measurement goes to the stimulus with the highest gain (Sampler::expected_gain()), by chance among
/// equals. Where the goal is the direction's mean, everything is in turn. Depends only on the arguments.
/// `first_sequence` numbers the plan; `round` counts rounds from 0. `under_way` is how many of each stimulus were
/// planned before and have not arrived; empty: none. Re-entrant.
std::vector<Planned> plan_round(const DirectionSampler& sampler, std::uint64_t seed, std::size_t direction,
                                std::uint64_t round, std::uint32_t first_sequence,
                                const std::vector<std::size_t>& under_way = {}, std::size_t budget = kLongestRound,
                                Reach reach = Reach::next_look);

/// Identifies a run in its marks: 24 bits, from the seed and a salt that distinguishes runs with one seed.
std::uint32_t run_id_of(std::uint64_t seed, std::uint64_t salt = 0);

}  // namespace vqas
