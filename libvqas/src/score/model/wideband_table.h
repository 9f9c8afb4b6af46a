#pragma once

// Written by tools/calibrate, from pairs labelled with wideband P.862.2; not to be edited by hand.
// libvqas/doc/record/calibration-wideband.md says how, and how good it is.
//
// seed: 1
// pairs: 1767
// SHA-256 of pairs.csv: 8130bb422ee01edd3edaaa4da1a3fd9bb4506c4d87f7a9d0c3b937a435b84d5a
// strange pairs, for the confidence alone: 2208
// SHA-256 of strange.csv: f659cab20c758184e2ca43efd12e4b4636c08a952dc1da7c355df50b5437961b
// calls by other programs, for the confidence: 325
// SHA-256 of their pairs.csv: ad2181cde32b52b610680e24b2fdd289f80efb5f9822949effce2185e05a9424,
// fab1c5b58f468dd90af50c1ddc34568faafd3b98bbff8bb1c6781d49bbe9849c recordings: 110, digests in weights.json

namespace vqas::scoring::wideband {

// Weights of the auditory distance.
inline constexpr double kChanged = 20.1998;
inline constexpr double kStepped = 10.1312;
inline constexpr double kRaised = 20.1628;
inline constexpr double kInserted = 0.794914;

// Logarithm of the scale of AD's error: a constant, and one factor for each term.
inline constexpr double kTrustScale = -1.71148;
inline constexpr double kTrustShortness = 0.324084;
inline constexpr double kTrustSteps = 0.95824;
inline constexpr double kTrustDrift = 0.546498;
inline constexpr double kTrustTone = 0;
inline constexpr double kTrustPattern = 1.64242;
inline constexpr double kTrustForeign = 1.06942;
inline constexpr double kTrustNoise = 0.997813;

}  // namespace vqas::scoring::wideband
