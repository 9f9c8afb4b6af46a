#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// seed: 1
// pairs: 1767
// SHA-256 of pairs.csv: 8130bb422ee01edd3edaaa4da1a3fd9bb4506c4d87f7a9d0c3b937a435b84d5a
// strange pairs, for the confidence alone: 835
// SHA-256 of strange.csv: 0565bc648b2bdb332fe9f954e35944b3602b4be28b216096094d5c514d6c880d
// calls by other programs, for the confidence: 325
// SHA-256 of their pairs.csv: ad2181cde32b52b610680e24b2fdd289f80efb5f9822949effce2185e05a9424,
// fab1c5b58f468dd90af50c1ddc34568faafd3b98bbff8bb1c6781d49bbe9849c recordings: 110, digests in weights.json

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 18.8375;
inline constexpr double kStepped = 9.64949;
inline constexpr double kRaised = 18.7561;
inline constexpr double kInserted = 0.728032;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -1.82776;
inline constexpr double kTrustShortness = 0.330267;
inline constexpr double kTrustSteps = 1.0529;
inline constexpr double kTrustDrift = 0.705012;
inline constexpr double kTrustTone = 0.979343;
inline constexpr double kTrustPattern = 1.83949;
inline constexpr double kTrustForeign = 1.85583;
inline constexpr double kTrustNoise = 0.614039;

}  // namespace vqas::scoring::wideband
