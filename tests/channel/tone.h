#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>

namespace vqas::test {

/// A tone fitted to samples by least squares, and the residual.
struct ToneFit {
  double amplitude = 0;
  double phase = 0;  ///< of a sine, at the first sample, in radians
  double snr_db = 0;
};

inline ToneFit fit_tone(std::span<const float> samples, double frequency_hz, double rate_hz = 8000) {
  double ss = 0;
  double sc = 0;
  double cc = 0;
  double sy = 0;
  double cy = 0;
  double yy = 0;
  for (std::size_t n = 0; n < samples.size(); ++n) {
    const double angle = 2 * std::numbers::pi * std::fmod(frequency_hz * static_cast<double>(n) / rate_hz, 1.0);
    const double s = std::sin(angle);
    const double c = std::cos(angle);
    ss += s * s;
    sc += s * c;
    cc += c * c;
    sy += s * samples[n];
    cy += c * samples[n];
    yy += static_cast<double>(samples[n]) * samples[n];
  }
  const double determinant = ss * cc - sc * sc;
  const double a = (cc * sy - sc * cy) / determinant;
  const double b = (ss * cy - sc * sy) / determinant;
  const double tone = a * sy + b * cy;
  return {std::hypot(a, b), std::atan2(b, a), 10 * std::log10(tone / (yy - tone))};
}

}  // namespace vqas::test
