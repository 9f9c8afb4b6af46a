#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// seed: 1
// pairs: 1767
// SHA-256 of pairs.csv: 8130bb422ee01edd3edaaa4da1a3fd9bb4506c4d87f7a9d0c3b937a435b84d5a
// strange pairs, for the confidence alone: 687
// SHA-256 of strange.csv: 8ff453e3191111b5cda22473cec65986c7ae1ba76d34244557c4348643e44bc4
// calls by other programs, for the confidence: 325
// SHA-256 of their pairs.csv: ad2181cde32b52b610680e24b2fdd289f80efb5f9822949effce2185e05a9424,
// fab1c5b58f468dd90af50c1ddc34568faafd3b98bbff8bb1c6781d49bbe9849c recordings: 110, digests in weights.json

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 18.5512;
inline constexpr double kRaised = 18.7944;
inline constexpr double kInserted = 0;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 4.36695;
inline constexpr double kTrustShortness = -0.99499;
inline constexpr double kTrustSteepness = -1.1722;
inline constexpr double kTrustSteps = -0.789214;
inline constexpr double kTrustLongsteps = -0.692785;
inline constexpr double kTrustSeams = -0.0667236;
inline constexpr double kTrustDrift = -1.48914;
inline constexpr double kTrustTone = -1.91909;
inline constexpr double kTrustPattern = -3.27537;
inline constexpr double kTrustDeleted = -2.45555;
inline constexpr double kTrustForeign = -2.89523;
inline constexpr double kTrustNoise = -1.35869;
inline constexpr double kTrustSparseness = 0;

}  // namespace vqas::scoring::wideband
