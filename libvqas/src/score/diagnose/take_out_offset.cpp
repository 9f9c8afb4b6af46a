#include "score/diagnose/take_out_offset.h"

#include <cmath>
#include <cstddef>
#include <numbers>

#include "score/dsp/kernels.h"

namespace vqas::scoring {
namespace {

constexpr double kOffsetHz = 50;    // by hand: below all speech
constexpr double kSettlesS = 0.15;  // not tuned: by then 1e-14 is left of where it began

// A Butterworth of second order (bilinear).
HighPass offset_filter(double rate_hz) {
  const double k = std::tan(std::numbers::pi * kOffsetHz / rate_hz);
  const double norm = 1 / (1 + std::numbers::sqrt2 * k + k * k);
  return {norm, 2 * (k * k - 1) * norm, (1 - std::numbers::sqrt2 * k + k * k) * norm};
}

}  // namespace

void take_out_offset(std::span<const float> from, double rate_hz, std::span<float> to) {
  high_pass(from, offset_filter(rate_hz), static_cast<std::size_t>(kSettlesS * rate_hz), to);
}

}  // namespace vqas::scoring
