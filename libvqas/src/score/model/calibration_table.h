#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/record/calibration.md says how, and how good it is.
//
// seed: 1
// pairs: 6815
// SHA-256 of pairs.csv: 97c1ba257072ca6c99a73b7512ded1c0acf8ba718524e934db7c92ffb21c7813
// strange pairs, for the confidence alone: 2378
// SHA-256 of strange.csv: d294272ea016774651a401157331bda6f4125b685ccbace643a2f9f869995fee
// calls by other programs, for the weights and the confidence: 1292
// SHA-256 of their pairs.csv: 96cddb1c1e7fad6cb15c27bdb3c13c703fc761c6716c8dff4c5093a44bde457d,
// 86adf5283e1a71962b6bc333b5d53ac4e5b0535949b3cb93563a752aa5353bb5 recordings: 118, digests in weights.json

namespace vqas::scoring::calibrated {

// Weights of the auditory distance.
inline constexpr double kChanged = 14.5719;
inline constexpr double kStepped = 10.0404;
inline constexpr double kRaised = 12.5284;
inline constexpr double kInserted = 0.622209;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -2.47473;
inline constexpr double kTrustShortness = 0.525539;
inline constexpr double kTrustSteps = 1.53222;
inline constexpr double kTrustDrift = 0.830622;
inline constexpr double kTrustTone = 0.587106;
inline constexpr double kTrustPattern = 1.12687;
inline constexpr double kTrustForeign = 0.912369;
inline constexpr double kTrustNoise = 0.736093;

}  // namespace vqas::scoring::calibrated
