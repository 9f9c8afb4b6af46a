#pragma once

#include <optional>

#include "vqas/score/score.h"

namespace vqas {

/// What a diagnosed score lost without an impairment that was recognised, in MOS, from 0.5 on: something is wrong that
/// is none of the impairments, or too faint to be told. Nothing where an impairment was named, where no diagnosis was
/// made and where less was lost. Thread-safe.
std::optional<double> unrecognised_cost(const Score& score);

}  // namespace vqas
