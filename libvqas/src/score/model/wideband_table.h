#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// seed: 1
// pairs: 1560
// SHA-256 of pairs.csv: e62c4b815061226da4bc9e61b0538e500f38e1bcc55880cf2f1de7f27cead78f

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 18.6112;
inline constexpr double kRaised = 18.8701;
inline constexpr double kInserted = 0;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 3.1715;
inline constexpr double kTrustShortness = -0.3422;
inline constexpr double kTrustSteepness = -0.823056;
inline constexpr double kTrustSeams = -0.434543;
inline constexpr double kTrustDrift = 0;
inline constexpr double kTrustTone = 0;
inline constexpr double kTrustPattern = -1.68979;
inline constexpr double kTrustDeleted = 0;
inline constexpr double kTrustNoise = -0.844619;
inline constexpr double kTrustSparseness = -1.39143;

}  // namespace vqas::scoring::wideband
