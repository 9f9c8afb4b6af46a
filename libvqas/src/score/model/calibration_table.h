#pragma once

// Written by tools/calibrate, from pairs labelled with narrowband P.862.1; not to be edited by hand.
// libvqas/doc/record/calibration.md says how, and how good it is.
//
// weights: fitted
// seed: 1
// pairs: 6815
// SHA-256 of pairs.csv: d04aa0047807e4c55d18f52ff58e2b39cb45c5ce2b53a3667d93ad098d3df504
// strange pairs, for the confidence alone: 3061
// SHA-256 of strange.csv: 092903a12f3b7b829fa888c6a1780b8a5e0f3ab354dab6244eb615558366e0a2
// calls by other programs, for the weights and the confidence: 646
// SHA-256 of pairs.csv of set 1 of them: f81e00103ea3637348fab90d187b5065716430ca56d774864ac4eb9b7758c488
// recordings: 118, digests in weights.json

namespace vqas::scoring::calibrated {

// Weights of the auditory distance.
inline constexpr double kChanged = 14.7301;
inline constexpr double kStepped = 9.9891;
inline constexpr double kRaised = 11.9871;
inline constexpr double kInserted = 0.695491;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -2.56078;
inline constexpr double kTrustShortness = 0.351476;
inline constexpr double kTrustSteps = 1.58631;
inline constexpr double kTrustDrift = 0.864758;
inline constexpr double kTrustTone = 1.19676;
inline constexpr double kTrustPattern = 1.01827;
inline constexpr double kTrustForeign = 0.795874;
inline constexpr double kTrustNoise = 0.117692;
inline constexpr double kTrustStretch = 10.1676;
inline constexpr double kTrustEnds = 0.828095;
inline constexpr double kTrustTaken = 4.10827;

}  // namespace vqas::scoring::calibrated
