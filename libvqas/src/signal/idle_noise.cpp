#include "vqas/signal/idle_noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>

#include "signal/fft.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

constexpr double kRateHz = 8000;
constexpr std::size_t kFrame = IdleNoiseMeter::kFrame;
constexpr std::size_t kBins = kFrame / 2 + 1;
constexpr double kSilence = 1e-12;  // power, -120 dBov

double decibel(double power) {
  return 10 * std::log10(std::max(power, kSilence));
}

}  // namespace

double zero_dbm0_dbov(double line_gain_db) {
  constexpr double kPlannedLossDb = 6;
  return kZeroDbm0MuLawDbov + line_gain_db - std::clamp(line_gain_db, -kPlannedLossDb, 0.0);
}

double psophometric_weight_db(double frequency_hz) {
  static constexpr double kTable[][2] = {
      {16.66, -85}, {50, -63},    {100, -41},   {200, -21},   {300, -10.6},  {400, -6.3},  {500, -3.6},  {600, -2.0},
      {700, -0.9},  {800, 0},     {900, 0.6},   {1000, 1.0},  {1200, 0},     {1400, -0.9}, {1600, -1.7}, {1800, -2.4},
      {2000, -3.0}, {2500, -4.2}, {3000, -5.6}, {3500, -8.5}, {4000, -15.0}, {4500, -25},  {5000, -36},  {6000, -43}};
  if (frequency_hz <= kTable[0][0]) return kTable[0][1];
  for (std::size_t i = 1; i < std::size(kTable); ++i) {
    const auto [low, low_db] = kTable[i - 1];
    const auto [high, high_db] = kTable[i];
    if (frequency_hz <= high) return low_db + (high_db - low_db) * (frequency_hz - low) / (high - low);
  }
  return kTable[std::size(kTable) - 1][1];
}

std::string idle_noise_in_words(double dbm0p) {
  if (dbm0p <= kLeastIdleNoiseDbm0p)
    return fmt::format(
        "{:.0f} dBm0p or less, which is not measured; a good circuit may have {:.0f} dBm0p (ITU-T G.712)",
        kLeastIdleNoiseDbm0p, kMostIdleNoiseDbm0p);
  const double over = dbm0p - kMostIdleNoiseDbm0p;
  return fmt::format("{:.1f} dBm0p, {:.1f} dB {} the limit of a good circuit ({:.0f} dBm0p, ITU-T G.712)", dbm0p,
                     std::fabs(over), over > 0 ? "above" : "below", kMostIdleNoiseDbm0p);
}

struct IdleNoiseMeter::State {
  State() {
    double sum = 0;
    for (std::size_t n = 0; n < kFrame; ++n) {
      const double hann = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / kFrame);
      window[n] = static_cast<float>(hann);
      sum += hann * hann;
    }
    for (std::size_t k = 0; k < kBins; ++k) {
      // Scaled so that the sum over the bins is the mean power of a sample.
      scale[k] = (k == 0 || k == kBins - 1 ? 1 : 2) / (sum * kFrame);
      weight[k] = std::pow(10, psophometric_weight_db(static_cast<double>(k) * kRateHz / kFrame) / 10);
    }
  }

  void add_frame(const float* samples) {
    for (std::size_t n = 0; n < kFrame; ++n) in[n] = window[n] * samples[n];
    fft.forward(in.data(), out.data());
    for (std::size_t k = 0; k < kBins; ++k) {
      const double re = out[k].real();
      const double im = out[k].imag();
      power[k] += scale[k] * (re * re + im * im);
    }
    ++frames;
  }

  RealFft fft{kFrame};
  FftBuffer<float> in = FftBuffer<float>(kFrame);
  FftBuffer<Complex> out = FftBuffer<Complex>(kBins);
  std::array<float, kFrame> window{};
  std::array<double, kBins> scale{}, weight{}, power{};
  std::size_t frames = 0;
};

IdleNoiseMeter::IdleNoiseMeter() : state_(std::make_unique<State>()) {}
IdleNoiseMeter::~IdleNoiseMeter() = default;
IdleNoiseMeter::IdleNoiseMeter(IdleNoiseMeter&&) noexcept = default;
IdleNoiseMeter& IdleNoiseMeter::operator=(IdleNoiseMeter&&) noexcept = default;

void IdleNoiseMeter::reset() {
  state_->power.fill(0);
  state_->frames = 0;
}

void IdleNoiseMeter::add(std::span<const float> piece) {
  for (std::size_t at = 0; at + kFrame <= piece.size(); at += kFrame / 2) state_->add_frame(piece.data() + at);
}

std::optional<IdleNoise> IdleNoiseMeter::result() const {
  const State& sums = *state_;
  if (sums.frames == 0) return std::nullopt;
  double weighted = 0;
  double all = 0;
  double strongest = 0;
  std::size_t at = 0;
  for (std::size_t k = 0; k < kBins; ++k) {
    weighted += sums.power[k] * sums.weight[k];
    all += sums.power[k];
    // The window spreads a tone over about three bins.
    const double near = sums.power[k] + (k > 0 ? sums.power[k - 1] : 0) + (k + 1 < kBins ? sums.power[k + 1] : 0);
    if (near <= strongest) continue;
    strongest = near;
    at = k;
  }
  const auto count = static_cast<double>(sums.frames);
  return IdleNoise{.weighted_dbov = decibel(weighted / count),
                   .unweighted_dbov = decibel(all / count),
                   .tone_dbov = decibel(strongest / count),
                   .tone_hz = static_cast<double>(at) * kRateHz / kFrame};
}

}  // namespace vqas
