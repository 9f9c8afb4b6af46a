#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// seed: 1
// pairs: 1767
// SHA-256 of pairs.csv: 8130bb422ee01edd3edaaa4da1a3fd9bb4506c4d87f7a9d0c3b937a435b84d5a
// strange pairs, for the confidence alone: 687
// SHA-256 of strange.csv: 8ff453e3191111b5cda22473cec65986c7ae1ba76d34244557c4348643e44bc4
// calls by other programs, for the confidence alone: 325
// SHA-256 of their pairs.csv: ad2181cde32b52b610680e24b2fdd289f80efb5f9822949effce2185e05a9424,
// fab1c5b58f468dd90af50c1ddc34568faafd3b98bbff8bb1c6781d49bbe9849c recordings: 110, digests in weights.json

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 18.7323;
inline constexpr double kRaised = 18.6337;
inline constexpr double kInserted = 0;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 4.28943;
inline constexpr double kTrustShortness = -1.07854;
inline constexpr double kTrustSteepness = -1.08621;
inline constexpr double kTrustSteps = -0.784697;
inline constexpr double kTrustLongsteps = -0.660584;
inline constexpr double kTrustSeams = -0.0690258;
inline constexpr double kTrustDrift = -0.981397;
inline constexpr double kTrustTone = -1.38767;
inline constexpr double kTrustPattern = -3.16354;
inline constexpr double kTrustDeleted = -2.68533;
inline constexpr double kTrustForeign = -2.96177;
inline constexpr double kTrustNoise = -1.43039;
inline constexpr double kTrustSparseness = 0;

}  // namespace vqas::scoring::wideband
