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
// calls by other programs, for the confidence: 0
// recordings: 110, digests in weights.json

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 18.8451;
inline constexpr double kStepped = 10.6122;
inline constexpr double kRaised = 18.876;
inline constexpr double kInserted = 0.748049;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -2.06363;
inline constexpr double kTrustShortness = 0.324136;
inline constexpr double kTrustSteps = 1.12856;
inline constexpr double kTrustDrift = 0.841572;
inline constexpr double kTrustTone = 0.889895;
inline constexpr double kTrustPattern = 1.25605;
inline constexpr double kTrustForeign = 1.00698;
inline constexpr double kTrustNoise = 0.328224;
inline constexpr double kTrustStretch = 3.86789;
inline constexpr double kTrustEnds = 0.288288;
inline constexpr double kTrustTaken = 4.99704;

}  // namespace vqas::scoring::wideband
