#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// weights: kept from the table before
// seed: 1
// pairs: 1767
// SHA-256 of pairs.csv: 2c8c933c11f288c8ee3049577f3fcc89b5a7e220ec98d6f79e92572a9153b3e0
// strange pairs, for the confidence alone: 2851
// SHA-256 of strange.csv: a3827ee34dabf44205bfaedd102d42f9b74ae51e08aec08869418a8ca15aead2
// calls by other programs, for the confidence: 608
// SHA-256 of pairs.csv of set 1 of them: ba9a6375886a1582e6fd9bd31f0dc05185f94b94b9fa2cd78c5c092b11d04a25
// recordings: 110, digests in weights.json

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 18.9226;
inline constexpr double kStepped = 10.6898;
inline constexpr double kRaised = 18.5954;
inline constexpr double kInserted = 0.753589;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -2.12863;
inline constexpr double kTrustShortness = 0.470919;
inline constexpr double kTrustSteps = 1.10391;
inline constexpr double kTrustDrift = 0.690631;
inline constexpr double kTrustTone = 0.844561;
inline constexpr double kTrustPattern = 1.37987;
inline constexpr double kTrustForeign = 0.948585;
inline constexpr double kTrustNoise = 0.418786;
inline constexpr double kTrustStretch = 4.71061;
inline constexpr double kTrustEnds = 0.335281;
inline constexpr double kTrustTaken = 4.87343;

}  // namespace vqas::scoring::wideband
