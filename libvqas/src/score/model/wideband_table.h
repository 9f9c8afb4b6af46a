#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// weights: kept from the table before
// seed: 1
// pairs: 1767
// SHA-256 of pairs.csv: 2c8c933c11f288c8ee3049577f3fcc89b5a7e220ec98d6f79e92572a9153b3e0
// strange pairs, for the confidence alone: 2451
// SHA-256 of strange.csv: 75df5d316987f8b85c1c9aaf5909687f6f2ef94d2c3abe49f926b7035e54c79a
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
inline constexpr double kTrustScale = -1.76806;
inline constexpr double kTrustShortness = 0.486901;
inline constexpr double kTrustSteps = 0.983354;
inline constexpr double kTrustDrift = 0.55399;
inline constexpr double kTrustTone = 0;
inline constexpr double kTrustPattern = 1.46597;
inline constexpr double kTrustForeign = 1.0963;
inline constexpr double kTrustNoise = 0.979451;
inline constexpr double kTrustStretch = 3.56353;

}  // namespace vqas::scoring::wideband
