#pragma once

#include <optional>

#include "vqas/score/score.h"

namespace vqas {

/// Loss of a diagnosed score without a recognised impairment, in MOS, if 0.5 or more: the impairment is of another
/// kind, or too faint to be recognised. Nothing if an impairment was found, without a diagnosis, and for smaller
/// losses. Thread-safe.
std::optional<double> unrecognised_cost(const Score& score);

}  // namespace vqas
