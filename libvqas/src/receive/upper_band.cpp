#include "receive/upper_band.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "signal/fft.h"

namespace vqas {
namespace {

constexpr std::size_t kFrame = 512;
constexpr int kLeastRateHz = 16000;
constexpr double kMostRatio = 0.01;

struct BandPowers {
  double telephone = 0, upper = 0;
};

// Of Hann frames of 32 ms at 16 kHz: the loud low band of speech must not leak into the upper one.
BandPowers band_powers(SignalView signal) {
  const RealFft fft(kFrame);
  FftBuffer<float> frame(kFrame);
  FftBuffer<Complex> spectrum(fft.row());
  const double bin_hz = static_cast<double>(signal.rate_hz) / static_cast<double>(kFrame);
  BandPowers powers;
  const auto hann = [](std::size_t i) {
    return static_cast<float>(0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / kFrame));
  };
  for (std::size_t begin = 0; begin + kFrame <= signal.samples.size(); begin += kFrame / 2) {
    for (std::size_t i = 0; i < kFrame; ++i) frame[i] = hann(i) * signal.samples[begin + i];
    fft.forward(frame.data(), spectrum.data());
    for (std::size_t bin = 0; bin < fft.bins(); ++bin) {
      const double hz = static_cast<double>(bin) * bin_hz;
      const double power = std::norm(spectrum[bin]);
      if (hz >= 300 && hz <= 3400) powers.telephone += power;
      if (hz >= 4500 && hz <= 7000) powers.upper += power;
    }
  }
  return powers;
}

}  // namespace

bool lacks_upper_band(SignalView heard, SignalView reference) {
  if (std::min(heard.rate_hz, reference.rate_hz) < kLeastRateHz) return false;
  const BandPowers there = band_powers(heard), sent = band_powers(reference);
  if (there.telephone <= 0 || sent.telephone <= 0 || sent.upper <= 0) return false;
  return there.upper / there.telephone < kMostRatio * sent.upper / sent.telephone;
}

}  // namespace vqas
