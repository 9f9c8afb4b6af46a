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
inline constexpr double kChanged = 17.9547;
inline constexpr double kStepped = 10.2992;
inline constexpr double kRaised = 20.4546;
inline constexpr double kInserted = 0.619489;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -1.88257;
inline constexpr double kTrustShortness = 0.489451;
inline constexpr double kTrustSteps = 1.00808;
inline constexpr double kTrustDrift = 0.595201;
inline constexpr double kTrustTone = 0.146024;
inline constexpr double kTrustPattern = 1.35221;
inline constexpr double kTrustForeign = 1.27399;
inline constexpr double kTrustNoise = 0.812907;
inline constexpr double kTrustStretch = 3.43019;
inline constexpr double kTrustEnds = 0.641816;

}  // namespace vqas::scoring::wideband
