#pragma once

#include <bit>
#include <cstdint>

namespace vqas::scoring {

// Powers for loops that a compiler is to vectorise: no branches, no tables, no calls. The series are the plain ones of
// the inverse hyperbolic tangent and of the exponential, cut where single precision ends.

/// log2 of a positive normal number, absolute error below 4e-6 (half a unit in the last place of 64).
inline float fast_log2(float x) {
  const auto bits = std::bit_cast<std::int32_t>(x);
  // The mantissa goes to sqrt(1/2)..sqrt(2), where the series converges fastest.
  constexpr std::int32_t kRootHalf = 0x3F3504F3;
  const std::int32_t exponent = (bits - kRootHalf) >> 23;
  const auto mantissa = std::bit_cast<float>(bits - exponent * (1 << 23));
  const float s = (mantissa - 1) / (mantissa + 1);
  const float z = s * s;
  const float series = s * (2.885390082F + z * (0.961796694F + z * (0.577078016F + z * 0.412198583F)));
  return static_cast<float>(exponent) + series;
}

/// 2^x for x within ±126, relative error below 3e-7.
inline float fast_exp2(float x) {
  constexpr float kRounder = 12582912.0F;  // 1.5·2^23: adding it leaves the nearest integer
  const float rounded = (x + kRounder) - kRounder;
  const float f = x - rounded;
  const float series =
      1 +
      f * (0.693147181F + f * (0.240226507F + f * (0.0555041087F +
                                                   f * (0.00961812911F + f * (0.00133335581F + f * 0.000154035304F)))));
  const auto scale = std::bit_cast<float>((static_cast<std::int32_t>(rounded) + 127) * (1 << 23));
  return series * scale;
}

/// x^exponent of a positive normal number, |exponent·log2(x)| <= 126; relative error below 1e-6 times the larger of 1
/// and |exponent·log2(x)|/4.
inline float fast_power(float x, float exponent) {
  return fast_exp2(exponent * fast_log2(x));
}

}  // namespace vqas::scoring
