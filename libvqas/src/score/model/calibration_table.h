#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/record/calibration.md says how, and how good it is.
//
// seed: 1
// pairs: 6815
// SHA-256 of pairs.csv: 67b13ac0d17bdea8312259cdfe198feb4f42b7def6d6db651d2ad1d7873cef24
// strange pairs, for the confidence alone: 918
// SHA-256 of strange.csv: bc9f70ef8ff8b5b51b753cacfc3fee39f0ed6a289c40e146e911c1fb04feb183
// recordings: 118, digests in weights.json

namespace vqas::scoring::calibrated {

// Weights of the auditory distance.
inline constexpr double kChanged = 14.4128;
inline constexpr double kRaised = 11.523;
inline constexpr double kInserted = 0.687382;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 4.84106;
inline constexpr double kTrustShortness = -0.6184;
inline constexpr double kTrustSteepness = -0.426571;
inline constexpr double kTrustSeams = -1.45931;
inline constexpr double kTrustDrift = -1.54711;
inline constexpr double kTrustTone = -1.84384;
inline constexpr double kTrustPattern = -1.83538;
inline constexpr double kTrustDeleted = -19.0288;
inline constexpr double kTrustNoise = -1.8445;
inline constexpr double kTrustSparseness = -1.74541;

}  // namespace vqas::scoring::calibrated
