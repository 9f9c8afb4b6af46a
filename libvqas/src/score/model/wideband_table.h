#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// seed: 1
// pairs: 1772
// SHA-256 of pairs.csv: e866ec524247a53a21158edf6a4b4360b68126363342fcc276ba41f085d36e08
// strange pairs, for the confidence alone: 279
// SHA-256 of strange.csv: 901968ccfb18d31faf8331454c9b64a5bce1d1031f0ac73ad2ee3b6b165ed5ee
// recordings: 110, digests in weights.json

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 18.6112;
inline constexpr double kRaised = 18.8701;
inline constexpr double kInserted = 0;

// Logarithm of the odds that a score lies within 0.5 of the label: a constant, and one factor for each term.
inline constexpr double kTrustConstant = 4.27683;
inline constexpr double kTrustShortness = -0.609958;
inline constexpr double kTrustSteepness = -1.43131;
inline constexpr double kTrustSteps = -0.985905;
inline constexpr double kTrustLongsteps = 0;
inline constexpr double kTrustSeams = -0.287932;
inline constexpr double kTrustDrift = -1.54532;
inline constexpr double kTrustTone = -1.7675;
inline constexpr double kTrustPattern = -3.02551;
inline constexpr double kTrustDeleted = 0;
inline constexpr double kTrustForeign = -4.34512;
inline constexpr double kTrustNoise = -1.42463;
inline constexpr double kTrustSparseness = -1.47513;

}  // namespace vqas::scoring::wideband
