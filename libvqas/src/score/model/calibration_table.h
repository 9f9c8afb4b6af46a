#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/record/calibration.md says how, and how good it is.
//
// weights: kept from the table before
// seed: 1
// pairs: 6815
// SHA-256 of pairs.csv: 97c1ba257072ca6c99a73b7512ded1c0acf8ba718524e934db7c92ffb21c7813
// strange pairs, for the confidence alone: 3061
// SHA-256 of strange.csv: 092903a12f3b7b829fa888c6a1780b8a5e0f3ab354dab6244eb615558366e0a2
// calls by other programs, for the confidence: 1292
// SHA-256 of pairs.csv of set 1 of them: eeac8875b1da054120dac3b0f21c7ef77d101e678ca7bacaa83ea1db5f1e1a31
// SHA-256 of pairs.csv of set 2 of them: fbb24db3cfd568c3235c08b5498d1759b5ffd29941485c4e6d99ab3849b68676
// recordings: 118, digests in weights.json

namespace vqas::scoring::calibrated {

// Weights of the auditory distance.
inline constexpr double kChanged = 14.6763;
inline constexpr double kStepped = 9.55665;
inline constexpr double kRaised = 12.0134;
inline constexpr double kInserted = 0.637091;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -2.66824;
inline constexpr double kTrustShortness = 0.445651;
inline constexpr double kTrustSteps = 1.65409;
inline constexpr double kTrustDrift = 0.906488;
inline constexpr double kTrustTone = 1.21902;
inline constexpr double kTrustPattern = 1.09613;
inline constexpr double kTrustForeign = 0.748698;
inline constexpr double kTrustNoise = 0.219055;
inline constexpr double kTrustStretch = 9.38829;
inline constexpr double kTrustEnds = 0.820029;
inline constexpr double kTrustTaken = 4.63089;

}  // namespace vqas::scoring::calibrated
