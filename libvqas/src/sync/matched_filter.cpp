#include "sync/matched_filter.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sync/hop_code.h"
#include "vqas/signal/signal.h"

namespace vqas::sync {
namespace {

constexpr double kBinHz = double{kLineRateHz} / MatchedFilter::kBlock;
// The marks' band, 1150–1990 Hz, with raised-cosine edges down to 1020 and up to 2120 Hz.
constexpr double kLowStopHz = 1020, kLowPassHz = 1150, kHighPassHz = 1990, kHighStopHz = 2120;
constexpr auto kFirstBin = static_cast<std::size_t>(kLowStopHz / kBinHz);
constexpr auto kLastBin = static_cast<std::size_t>(kHighStopHz / kBinHz) + 1;
constexpr std::size_t kBins = kLastBin - kFirstBin + 1;
static_assert(kBins < MatchedFilter::kBlock / MatchedFilter::kDecimation);
// Mean square below which there are no marks, -90 dBov: half a 16-bit step. Keeps digital silence from scoring.
constexpr double kFloor = 1e-9;

double side(double from_stop_to_pass) {
  return 0.5 - 0.5 * std::cos(std::numbers::pi * std::clamp(from_stop_to_pass, 0.0, 1.0));
}

}  // namespace

MatchedFilter::MatchedFilter(End sender)
    : time_(kBlock),
      spectrum_(kBlock / 2 + 1),
      band_spectrum_(kSmall),
      band_(kSmall),
      fft_(kBlock),
      band_fft_(kSmall),
      window_(kBins) {
  for (std::size_t i = 0; i < kBins; ++i) {
    const double frequency = kBinHz * static_cast<double>(kFirstBin + i);
    // Half of the weight in decibels; the other half is in the code.
    window_[i] = static_cast<float>(std::sqrt(side((frequency - kLowStopHz) / (kLowPassHz - kLowStopHz)) *
                                              side((kHighStopHz - frequency) / (kHighStopHz - kHighPassHz))));
  }
  for (const MarkKind kind : {MarkKind::leading, MarkKind::trailing}) {
    const HopCode code(sender, kind);
    std::fill(time_.begin(), time_.end(), 0.0F);
    for (std::size_t n = 0; n < kHopLength; ++n) {
      const double phase = 2 * std::numbers::pi * kCarrierHz / kLineRateHz * static_cast<double>(n);
      time_[n] = static_cast<float>((code.envelope(static_cast<double>(n)) * std::polar(1.0, phase)).real());
    }
    fft_.forward(time_.data(), spectrum_.data());
    std::vector<Complex>& kept = codes_[static_cast<std::size_t>(kind)];
    kept.resize(kBins);
    double energy = 0;
    for (std::size_t i = 0; i < kBins; ++i) {
      const Complex weighted = std::conj(spectrum_[kFirstBin + i]) * window_[i];
      energy += std::norm(weighted);
      kept[i] = weighted * window_[i];
    }
    code_energy_[static_cast<std::size_t>(kind)] = static_cast<float>(energy);
  }
}

// Reduces the band, times a code or alone, to 2 kHz: the bins of a small transform are those of the large one modulo
// its size, which keeps every fourth sample.
void MatchedFilter::to_band(const std::vector<Complex>* code) {
  std::fill(band_spectrum_.begin(), band_spectrum_.end(), Complex{});
  for (std::size_t i = 0; i < kBins; ++i) {
    const Complex value = spectrum_[kFirstBin + i];
    const Complex factor = code != nullptr ? (*code)[i] : Complex(window_[i]);
    // Written out, because operator* also handles infinities.
    band_spectrum_[(kFirstBin + i) % kSmall] = {value.real() * factor.real() - value.imag() * factor.imag(),
                                                value.real() * factor.imag() + value.imag() * factor.real()};
  }
  band_fft_.inverse(band_spectrum_.data(), band_.data());
}

void MatchedFilter::run(std::span<const float> block) {
  std::copy_n(block.begin(), kBlock, time_.data());
  fft_.forward(time_.data(), spectrum_.data());
  to_band(nullptr);
  energy_[0] = 0;
  for (std::size_t m = 0; m < kSmall; ++m) energy_[m + 1] = energy_[m] + std::norm(band_[m]);

  constexpr std::size_t kCodeLength = kHopLength / kDecimation;
  constexpr std::size_t kFirst = kGuard / kDecimation;
  // By Parseval the sum over kSmall times is kSmall times the sum over bins, and a mean square of 1 is half (positive
  // frequencies only) of kBlock · kHopLength in the sum over bins.
  constexpr double kFloorEnergy = kFloor * kBlock * kHopLength / 2;
  for (const std::size_t kind : {0U, 1U}) {
    to_band(&codes_[kind]);
    for (std::size_t m = 0; m < kScores; ++m) {
      const std::size_t at = kFirst + m;
      const double energy = (energy_[at + kCodeLength] - energy_[at]) / kSmall + kFloorEnergy;
      scores_[kind][m] = static_cast<float>(std::norm(band_[at]) / (energy * code_energy_[kind]));
    }
  }
}

}  // namespace vqas::sync
