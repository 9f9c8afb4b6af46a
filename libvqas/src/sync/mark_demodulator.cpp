#include "sync/mark_demodulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "vqas/signal/signal.h"

namespace vqas::sync {
namespace {

constexpr int kFineness = 16;
constexpr double kCarrierStep = 2 * std::numbers::pi * kCarrierHz / kLineRateHz;
// A clock offset of 300 ppm rotates the outermost symbols by 35 degrees, half the way to a wrong decision.
constexpr std::array<double, 5> kDrifts = {0, 150e-6, -150e-6, 300e-6, -300e-6};
// A larger symbol is an error and carries no more information.
constexpr float kLargestSymbol = 1.5F;

}  // namespace

MarkDemodulator::MarkDemodulator(End sender)
    : sender_(sender), code_(sender, MarkKind::leading), pulse_(2 * kSymbolReach * kFineness + 1) {
  for (std::size_t i = 0; i < pulse_.size(); ++i) {
    pulse_[i] = static_cast<float>(symbol_pulse(static_cast<double>(i) / kFineness - kSymbolReach));
  }
}

void MarkDemodulator::mix_down(std::span<const float> samples) {
  mixed_.resize(samples.size());
  const std::complex<double> step = std::polar(1.0, -kCarrierStep);
  std::complex<double> carrier = 1;
  for (std::size_t n = 0; n < samples.size(); ++n) {
    mixed_[n] = samples[n] * std::complex<float>(carrier);
    carrier *= step;
  }
}

std::complex<float> MarkDemodulator::matched(double at) const {
  const double grid = std::round(at * kFineness) / kFineness;
  const auto first = static_cast<std::ptrdiff_t>(std::ceil(grid - kSymbolReach));
  const auto offset =
      static_cast<std::ptrdiff_t>(std::lround((static_cast<double>(first) - grid + kSymbolReach) * kFineness));
  std::complex<float> sum = 0;
  const auto size = static_cast<std::ptrdiff_t>(mixed_.size());
  for (std::ptrdiff_t i = offset, n = first; i < static_cast<std::ptrdiff_t>(pulse_.size()); i += kFineness, ++n) {
    if (n >= 0 && n < size) sum += mixed_[static_cast<std::size_t>(n)] * pulse_[static_cast<std::size_t>(i)];
  }
  return sum;
}

Symbols MarkDemodulator::receive(double hop_position, double drift, std::complex<double> gain) const {
  constexpr double kMiddle = kHopStart + kHopLength / 2.0;
  const double middle = hop_position + kHopLength / 2.0;
  // Factor 2, because the carrier was mixed with only one of its two sidebands.
  const std::complex<double> scale = 2.0 / (gain * std::sqrt(double{kSymbolLength}));
  Symbols symbols;
  for (int k = 0; k < kSymbols; ++k) {
    const double sent = symbol_time(k);
    const double received = middle + (sent - kMiddle) * (1 + drift);
    const std::complex<double> turn = std::polar(1.0, -kCarrierStep * (sent - kHopStart - received));
    std::complex<float> symbol = matched(received) * std::complex<float>(scale * turn);
    const float size = std::abs(symbol);
    if (size > kLargestSymbol) symbol *= kLargestSymbol / size;
    symbols[static_cast<std::size_t>(k)] = symbol;
  }
  return symbols;
}

std::optional<MarkData> MarkDemodulator::read(std::span<const float> samples, const PreambleFit& fit) {
  if (std::abs(fit.gain) <= 0) return std::nullopt;
  mix_down(samples);
  for (const double drift : kDrifts) {
    const std::complex<double> gain = drift == 0 ? fit.gain : preamble_gain(samples, code_, fit.position, drift);
    const SoftBits soft = to_soft_bits(receive(fit.position, drift, gain), sender_);
    const std::optional<MarkData> data = unpack(decoder_.decode(soft));
    if (data && data->sender == sender_) return data;
  }
  return std::nullopt;
}

}  // namespace vqas::sync
