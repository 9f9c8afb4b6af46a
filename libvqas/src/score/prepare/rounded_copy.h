#pragma once

#include <span>

namespace vqas::scoring {

/// Whether a recording is another one of the same length times a gain of either sign, plus a constant, rounded to 16
/// bits, and nothing else: every sample of the copy lies on the grid of 2^-15 and within half a step of
/// gain·original + constant; or it is gain·original with what is behind the point cut off. Any noise of the line puts
/// some sample farther off. False where the copy is so soft that
/// its speech is coarse steps (power below 40 dB over that of the rounding). Allocates nothing.
bool is_rounded_copy(std::span<const float> copy, std::span<const float> original);

}  // namespace vqas::scoring
