#pragma once

// Written by tools/calibrate --mode arrival, from planted pairs whose arrival is known; not to be edited by hand.
// libvqas/doc/record/alignment.md says how, and how good it is.
// seed 77, 5 pairs of each of 54 kinds, 349475 steps of 236 pairs

namespace vqas::scoring::arrival {

// Logarithm of the odds that a step was received: a factor for each of its terms (ArrivalTerms).
inline constexpr double kCertain = -4.71;
inline constexpr double kAlike = 8.54;
inline constexpr double kWeaker = -1.69;
inline constexpr double kStronger = -0.812;
inline constexpr double kMissing = -0.946;

}  // namespace vqas::scoring::arrival
