#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/record/calibration.md says how, and how good it is.
//
// seed: 1
// pairs: 6815
// SHA-256 of pairs.csv: 97c1ba257072ca6c99a73b7512ded1c0acf8ba718524e934db7c92ffb21c7813
// strange pairs, for the confidence alone: 1708
// SHA-256 of strange.csv: 18a1b317f1888947cd4c3976fc0cb5333dca69d5dc3df9ee639ef00a58e59d92
// calls by other programs, for the confidence alone: 1292
// SHA-256 of their pairs.csv: 96cddb1c1e7fad6cb15c27bdb3c13c703fc761c6716c8dff4c5093a44bde457d,
// 86adf5283e1a71962b6bc333b5d53ac4e5b0535949b3cb93563a752aa5353bb5 recordings: 118, digests in weights.json

namespace vqas::scoring::calibrated {

// Weights of the auditory distance.
inline constexpr double kChanged = 14.4128;
inline constexpr double kRaised = 11.523;
inline constexpr double kInserted = 0.687382;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 5.70831;
inline constexpr double kTrustShortness = -1.43648;
inline constexpr double kTrustSteepness = -0.92514;
inline constexpr double kTrustSteps = -1.00076;
inline constexpr double kTrustLongsteps = -1.00355;
inline constexpr double kTrustSeams = -0.662798;
inline constexpr double kTrustDrift = -1.86673;
inline constexpr double kTrustTone = -2.01957;
inline constexpr double kTrustPattern = -1.97723;
inline constexpr double kTrustDeleted = -4.39791;
inline constexpr double kTrustForeign = -4.6742;
inline constexpr double kTrustNoise = -1.51629;
inline constexpr double kTrustSparseness = -1.11191;

}  // namespace vqas::scoring::calibrated
