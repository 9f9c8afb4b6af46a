#pragma once

#include <string>
#include <vector>

#include "vqas/score/score.h"

namespace vqas::cli {

/// The lines above a picture: the score with the model's error and the confidence; figures; the impairments with what
/// each costs; what the loss is made of (may be empty). Without a score: the outcome and the reason.
std::vector<std::string> verdict(const Score& score);

/// A number beside an axis, at most three digits behind the point; never "-0".
std::string tick_label(double value);

}  // namespace vqas::cli
