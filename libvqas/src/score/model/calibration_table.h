#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/record/calibration.md says how, and how good it is.
//
// seed: 1
// pairs: 6815
// SHA-256 of pairs.csv: 97c1ba257072ca6c99a73b7512ded1c0acf8ba718524e934db7c92ffb21c7813
// strange pairs, for the confidence alone: 2074
// SHA-256 of strange.csv: bfbe37af258b71f584f6da02d400285ae8928adf836eb6d79b912a180f5d9fc4
// calls by other programs, for the weights and the confidence: 1292
// SHA-256 of their pairs.csv: 96cddb1c1e7fad6cb15c27bdb3c13c703fc761c6716c8dff4c5093a44bde457d,
// 86adf5283e1a71962b6bc333b5d53ac4e5b0535949b3cb93563a752aa5353bb5 recordings: 118, digests in weights.json

namespace vqas::scoring::calibrated {

// Weights of the auditory distance.
inline constexpr double kChanged = 14.5106;
inline constexpr double kStepped = 10.1175;
inline constexpr double kRaised = 12.563;
inline constexpr double kInserted = 0.612444;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 6.34733;
inline constexpr double kTrustShortness = -1.15511;
inline constexpr double kTrustSteepness = -2.10106;
inline constexpr double kTrustSteps = -3.12581;
inline constexpr double kTrustSeams = -0.773817;
inline constexpr double kTrustDrift = -2.06259;
inline constexpr double kTrustTone = -1.16758;
inline constexpr double kTrustPattern = -2.44399;
inline constexpr double kTrustForeign = -4.92607;
inline constexpr double kTrustNoise = -2.04225;

}  // namespace vqas::scoring::calibrated
