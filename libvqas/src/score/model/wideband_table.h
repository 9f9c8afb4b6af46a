#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// seed: 1
// pairs: 1767
// SHA-256 of pairs.csv: 8130bb422ee01edd3edaaa4da1a3fd9bb4506c4d87f7a9d0c3b937a435b84d5a
// strange pairs, for the confidence alone: 2150
// SHA-256 of strange.csv: 8ae5bbefd17cab730cf7be43f6163b64fdb5b07146fd8f8b39fafe07f00cb397
// calls by other programs, for the confidence: 325
// SHA-256 of their pairs.csv: ad2181cde32b52b610680e24b2fdd289f80efb5f9822949effce2185e05a9424,
// fab1c5b58f468dd90af50c1ddc34568faafd3b98bbff8bb1c6781d49bbe9849c recordings: 110, digests in weights.json

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 20.1956;
inline constexpr double kStepped = 10.2258;
inline constexpr double kRaised = 20.1677;
inline constexpr double kInserted = 0.786524;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -1.72841;
inline constexpr double kTrustShortness = 0.278456;
inline constexpr double kTrustSteps = 0.98999;
inline constexpr double kTrustDrift = 0.554594;
inline constexpr double kTrustTone = 0;
inline constexpr double kTrustPattern = 1.63608;
inline constexpr double kTrustForeign = 2.12292;
inline constexpr double kTrustNoise = 1.07899;

}  // namespace vqas::scoring::wideband
