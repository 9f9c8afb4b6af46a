#pragma once

#include <optional>

#include "vqas/score/score.h"

namespace vqas {

/// What a diagnosed score lost beside what was recognised, in MOS, if 0.5 or more: the parts of the loss that belong to
/// no impairment that was named, nor to the noise. Without parts of the loss (long recordings, without costs)
/// it is known where nothing was named alone: all of the loss. Nothing without a diagnosis, and for less. Thread-safe.
std::optional<double> unrecognised_cost(const Score& score);

}  // namespace vqas
