#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/record/calibration.md says how, and how good it is.
//
// seed: 1
// pairs: 6815
// SHA-256 of pairs.csv: 97c1ba257072ca6c99a73b7512ded1c0acf8ba718524e934db7c92ffb21c7813
// strange pairs, for the confidence alone: 1708
// SHA-256 of strange.csv: 18a1b317f1888947cd4c3976fc0cb5333dca69d5dc3df9ee639ef00a58e59d92
// calls by other programs, for the weights and the confidence: 1292
// SHA-256 of their pairs.csv: 96cddb1c1e7fad6cb15c27bdb3c13c703fc761c6716c8dff4c5093a44bde457d,
// 86adf5283e1a71962b6bc333b5d53ac4e5b0535949b3cb93563a752aa5353bb5 recordings: 118, digests in weights.json

namespace vqas::scoring::calibrated {

// Weights of the auditory distance.
inline constexpr double kChanged = 14.1913;
inline constexpr double kRaised = 12.732;
inline constexpr double kInserted = 0.494896;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 5.88728;
inline constexpr double kTrustShortness = -1.51097;
inline constexpr double kTrustSteepness = -0.997834;
inline constexpr double kTrustSteps = -1.00347;
inline constexpr double kTrustLongsteps = -1.03537;
inline constexpr double kTrustSeams = -0.77101;
inline constexpr double kTrustDrift = -1.94048;
inline constexpr double kTrustTone = -1.48969;
inline constexpr double kTrustPattern = -2.14007;
inline constexpr double kTrustDeleted = -4.052;
inline constexpr double kTrustForeign = -4.71829;
inline constexpr double kTrustNoise = -1.85991;
inline constexpr double kTrustSparseness = -0.474978;

}  // namespace vqas::scoring::calibrated
