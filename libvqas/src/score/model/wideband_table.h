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
inline constexpr double kChanged = 20.1998;
inline constexpr double kStepped = 10.1312;
inline constexpr double kRaised = 20.1628;
inline constexpr double kInserted = 0.794914;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -1.62322;
inline constexpr double kTrustShortness = 0.578471;
inline constexpr double kTrustSteps = 0.875605;
inline constexpr double kTrustDrift = 0.489176;
inline constexpr double kTrustTone = 0;
inline constexpr double kTrustPattern = 1.42024;
inline constexpr double kTrustForeign = 1.03854;
inline constexpr double kTrustNoise = 0.798043;
inline constexpr double kTrustStretch = 2.10522;
inline constexpr double kTrustEnds = 1.48259;

}  // namespace vqas::scoring::wideband
