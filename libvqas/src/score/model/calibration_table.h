#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/record/calibration.md says how, and how good it is.
//
// seed: 1
// pairs: 6815 for the weights; for the confidence 3215 of the same conditions, each counted twice
// SHA-256 of pairs.csv: 67b13ac0d17bdea8312259cdfe198feb4f42b7def6d6db651d2ad1d7873cef24
//   for the confidence: 880297ed727a4a6589e6893530147141ad0ca8d05122d9fd089598c45a56162f
// strange pairs, for the confidence alone: 1657
// SHA-256 of strange.csv: 822dbba60c4bcf04f257ba6c37c6d80a8a6dcb421ee4bdce6c0d26c78c038255
// recordings: 118, digests in weights.json

namespace vqas::scoring::calibrated {

// Weights of the auditory distance.
inline constexpr double kChanged = 14.4128;
inline constexpr double kRaised = 11.523;
inline constexpr double kInserted = 0.687382;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 5.03525;
inline constexpr double kTrustShortness = -1.69907;
inline constexpr double kTrustSteepness = -0.273274;
inline constexpr double kTrustSteps = -1.27105;
inline constexpr double kTrustLongsteps = -2.95007;
inline constexpr double kTrustSeams = -0.991346;
inline constexpr double kTrustDrift = -1.61938;
inline constexpr double kTrustTone = -1.13575;
inline constexpr double kTrustPattern = -2.32641;
inline constexpr double kTrustDeleted = -10.6556;
inline constexpr double kTrustForeign = -3.10348;
inline constexpr double kTrustNoise = -2.81805;
inline constexpr double kTrustSparseness = -1.73717;

}  // namespace vqas::scoring::calibrated
