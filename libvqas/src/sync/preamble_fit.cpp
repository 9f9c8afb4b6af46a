#include "sync/preamble_fit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "signal/windowed_sinc.h"
#include "vqas/signal/signal.h"

namespace vqas::sync {
namespace {

constexpr double kCarrierStep = 2 * std::numbers::pi * kCarrierHz / kLineRateHz;
// Sum of the squared envelope: 1 between the edges, 3/8 on average over both raised-cosine edges.
constexpr double kEnergy = kHopLength - 2 * kHopEdge * (1 - 0.375);
constexpr double kMiddle = kHopLength / 2.0;

// Lags at which the correlation is computed: enough for interpolation around the peak.
constexpr std::ptrdiff_t kLags = 32;
constexpr int kReach = 10;
constexpr double kFirstLag = -kLags / 2.0, kOutermost = kLags / 2.0 - kReach - 1;

using Lags = std::array<std::complex<double>, kLags>;

// The correlation between its lags, taken about the carrier, where it occupies a tenth of the band: a Hann-windowed
// sinc is exact to 1e-4 there.
std::complex<double> between(const Lags& lags, double at) {
  const double index = at - kFirstLag;
  const auto first = static_cast<std::ptrdiff_t>(std::floor(index)) - kReach + 1;
  std::complex<double> sum = 0;
  for (std::ptrdiff_t i = first; i < first + 2 * kReach; ++i) {
    sum += windowed_sinc(index - static_cast<double>(i), kReach) * lags[static_cast<std::size_t>(i)];
  }
  return sum;
}

double highest(const Lags& lags) {
  // A parabola through three points, closer together each time; the peak is 19 samples wide between its nulls.
  constexpr std::array<double, 4> kSteps = {2.0, 1.0, 0.25, 0.05};
  double at = 0;
  for (const double step : kSteps) {
    const double before = std::norm(between(lags, at - step));
    const double here = std::norm(between(lags, at));
    const double after = std::norm(between(lags, at + step));
    const double curvature = before - 2 * here + after;
    double move = after > before ? step : -step;
    if (curvature < 0) move = std::clamp(step * 0.5 * (before - after) / curvature, -1.5 * step, 1.5 * step);
    at = std::clamp(at + move, -kOutermost + 2, kOutermost - 2);
  }
  return at;
}

}  // namespace

std::complex<double> preamble_gain(std::span<const float> samples, const HopCode& code, double position, double drift) {
  const double stretch = 1 / (1 + drift);
  const auto first = static_cast<std::ptrdiff_t>(std::floor(position)) - 1;
  const std::ptrdiff_t last = first + kHopLength + 3;
  std::complex<double> sum = 0;
  const auto size = static_cast<std::ptrdiff_t>(samples.size());
  for (std::ptrdiff_t n = std::max<std::ptrdiff_t>(first, 0); n < std::min(last, size); ++n) {
    const double at = (static_cast<double>(n) - position - kMiddle) * stretch + kMiddle;
    const std::complex<double> expected = code.envelope(at) * std::polar(1.0, kCarrierStep * at);
    sum += static_cast<double>(samples[static_cast<std::size_t>(n)]) * std::conj(expected);
  }
  return sum * 2.0 / kEnergy;
}

PreambleFitter::PreambleFitter(const HopCode& code) {
  for (std::size_t n = 0; n < kHopLength; ++n) {
    const auto at = static_cast<double>(n);
    const std::complex<double> value = std::conj(code.envelope(at) * std::polar(1.0, kCarrierStep * at));
    real_[n] = static_cast<float>(value.real());
    imaginary_[n] = static_cast<float>(value.imag());
  }
  // The code as transmitted, and as received from a line that rotates its phase by an eighth of a turn.
  std::array<float, kHopLength> turned{};
  for (std::size_t n = 0; n < kHopLength; ++n)
    turned[n] = (real_[n] + imaginary_[n]) * static_cast<float>(std::numbers::sqrt2 / 2);
  const double straight = fit(real_, 0).position, eighth = fit(turned, 0).position;
  bias_ = {straight, eighth};
}

PreambleFit PreambleFitter::fit(std::span<const float> samples, std::ptrdiff_t position) const {
  // The loop over lags is inside, so that the compiler may vectorise it without reordering a sum.
  std::array<float, kLags> real{}, imaginary{};
  const std::ptrdiff_t start = position + static_cast<std::ptrdiff_t>(kFirstLag);
  const auto size = static_cast<std::ptrdiff_t>(samples.size());
  std::array<float, kHopLength + kLags> near{};
  for (std::ptrdiff_t n = 0; n < static_cast<std::ptrdiff_t>(near.size()); ++n) {
    const std::ptrdiff_t at = start + n;
    if (at >= 0 && at < size) near[static_cast<std::size_t>(n)] = samples[static_cast<std::size_t>(at)];
  }
  for (std::size_t n = 0; n < kHopLength; ++n) {
    const float re = real_[n], im = imaginary_[n];
    const float* const x = near.data() + n;
    for (std::size_t lag = 0; lag < kLags; ++lag) real[lag] += re * x[lag];
    for (std::size_t lag = 0; lag < kLags; ++lag) imaginary[lag] += im * x[lag];
  }
  Lags lags{};
  for (std::size_t lag = 0; lag < kLags; ++lag) {
    // Removes the carrier's rotation from lag to lag.
    const double turn = -kCarrierStep * (static_cast<double>(lag) + kFirstLag);
    lags[lag] = std::complex<double>(real[lag], imaginary[lag]) * std::polar(2.0 / kEnergy, turn);
  }
  const double at = highest(lags);
  const std::complex<double> gain = between(lags, at) * std::polar(1.0, kCarrierStep * at);
  // The leakage rotates the other way, so the line's phase counts twice.
  const double turn = 2 * std::arg(gain);
  const double moved = bias_[0] * std::cos(turn) + bias_[1] * std::sin(turn);
  return {static_cast<double>(position) + at - moved, gain};
}

}  // namespace vqas::sync
