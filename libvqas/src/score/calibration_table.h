#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/calibration.md says how, and how good it is.
//
// seed: 1
// pairs: 6815
// SHA-256 of pairs.csv: 67b13ac0d17bdea8312259cdfe198feb4f42b7def6d6db651d2ad1d7873cef24
// recordings: 118, digests in weights.json

namespace vqas::scoring::calibrated {

// Weights of the auditory distance.
inline constexpr double kChanged = 14.4128;
inline constexpr double kRaised = 11.523;
inline constexpr double kInserted = 0.687382;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 5.70351;
inline constexpr double kTrustShortness = -1.63939;
inline constexpr double kTrustSteepness = -0.769359;
inline constexpr double kTrustSeams = -2.22054;
inline constexpr double kTrustDrift = -0.971169;
inline constexpr double kTrustDeleted = -20.9486;

}  // namespace vqas::scoring::calibrated
