#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// seed: 1
// pairs: 1767
// SHA-256 of pairs.csv: 8130bb422ee01edd3edaaa4da1a3fd9bb4506c4d87f7a9d0c3b937a435b84d5a
// strange pairs, for the confidence alone: 787
// SHA-256 of strange.csv: 8f558bfa09444b9d08c1e16da0a0edf87b38989979b3534ff65131f8402b972c
// calls by other programs, for the confidence: 325
// SHA-256 of their pairs.csv: ad2181cde32b52b610680e24b2fdd289f80efb5f9822949effce2185e05a9424,
// fab1c5b58f468dd90af50c1ddc34568faafd3b98bbff8bb1c6781d49bbe9849c recordings: 110, digests in weights.json

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 18.8375;
inline constexpr double kStepped = 9.64949;
inline constexpr double kRaised = 18.7561;
inline constexpr double kInserted = 0.728032;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 4.94133;
inline constexpr double kTrustShortness = -0.41067;
inline constexpr double kTrustSteepness = -2.2998;
inline constexpr double kTrustSteps = -2.07203;
inline constexpr double kTrustSeams = -0.246904;
inline constexpr double kTrustDrift = -1.8527;
inline constexpr double kTrustTone = -1.55938;
inline constexpr double kTrustPattern = -3.29172;
inline constexpr double kTrustForeign = -3.59997;
inline constexpr double kTrustNoise = -2.3267;

}  // namespace vqas::scoring::wideband
