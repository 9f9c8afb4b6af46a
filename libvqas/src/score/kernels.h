#pragma once

#include <span>

namespace vqas::scoring {

// The inner loops, written so that a compiler vectorises them without being allowed to reorder a sum: the order of
// every addition is fixed here, so a result does not depend on the address of the data.

inline constexpr int kLanes = 16;

/// Sum of a[n]·b[n]; `length` is a multiple of kLanes.
float dot_product(const float* a, const float* b, int length);

/// Whether every sample is finite and within ±limit.
bool all_within(std::span<const float> samples, float limit);

/// Sums in double precision.
double sum_of(std::span<const float> samples);
double sum_of_squares(std::span<const float> samples, double mean);

/// to[n] = (from[n] - offset)·gain.
void subtract_and_scale(std::span<const float> from, float offset, float gain, std::span<float> to);

/// Adds |(q+floor)^(1/6) - (p+floor)^(1/6)| of one band to the sums of all frames: `weight` times its square to
/// `changed`, `weight` times its cube to `raised` where q + ratio_floor > ratio·(p + ratio_floor).
struct BandFloors {
  float loudness = 0;     ///< > 0
  float ratio_floor = 0;  ///< >= 0
  float ratio = 1;
};
void add_loudness_difference(std::span<const float> p, std::span<const float> q, std::span<const float> gain,
                             float weight, const BandFloors& floors, std::span<float> changed, std::span<float> raised);

/// Writes (power + floor)^(1/6) to `loudness`.
void to_loudness(std::span<const float> power, float floor, std::span<float> loudness);

/// x^(1/6) of a positive normal number, relative error below 1e-6.
float sixth_root(float x);

}  // namespace vqas::scoring
