#include "score/align/phase_equaliser.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "score/dsp/kernels.h"

namespace vqas::scoring {
namespace {

constexpr double kFromHz = 200;       // below, the voice's fundamental says little of time
constexpr double kToHz = 3600;        // above, telephone lines pass nothing
constexpr double kIncoherent = 0.05;  // share of noise that is assumed even where none is seen
constexpr double kLeastSlope = 0.3;   // of the correlation's curvature: keeps a block far away from leaping

}  // namespace

PhaseEqualiser::PhaseEqualiser(const AlignmentModel& model)
    : model_(model),
      first_bin_(static_cast<std::size_t>(std::ceil(kFromHz * model.block / model.rate_hz))),
      bins_(static_cast<std::size_t>(std::floor(kToHz * model.block / model.rate_hz)) - first_bin_ + 1) {}

void PhaseEqualiser::add(const float* reference, const float* degraded) {
  const auto size = static_cast<std::size_t>(model_.block);
  if (!fft_) {
    fft_.emplace(size);
    work_.resize(size);
    spectrum_.resize(size);
    window_.resize(size);
    for (std::size_t n = 0; n < size; ++n) {
      const double at = (static_cast<double>(n) + 0.5) / static_cast<double>(size);
      window_[n] = static_cast<float>(0.5 - 0.5 * std::cos(2 * std::numbers::pi * at));
    }
    turned_.resize(bins_);
    phase_.resize(bins_);
    own_.resize(bins_);
  }
  interleave_windowed(reference, degraded, window_.data(), model_.block, work_.data());
  fft_->forward(work_.data(), spectrum_.data());
  ++blocks_;
  if (cross_.size() < blocks_ * bins_) {
    cross_.resize(blocks_ * bins_);
    reference_power_.resize(blocks_ * bins_);
    degraded_power_.resize(blocks_ * bins_);
  }
  const std::size_t row = (blocks_ - 1) * bins_;
  for (std::size_t n = 0; n < bins_; ++n) {
    const Complex up = spectrum_[first_bin_ + n];
    const Complex down = spectrum_[size - first_bin_ - n];
    // Twice the spectra of both, taken apart by symmetry.
    const float from_re = up.real() + down.real();
    const float from_im = up.imag() - down.imag();
    const float to_re = up.imag() + down.imag();
    const float to_im = down.real() - up.real();
    cross_[row + n] = {from_re * to_re + from_im * to_im, from_re * to_im - from_im * to_re};
    reference_power_[row + n] = from_re * from_re + from_im * from_im;
    degraded_power_[row + n] = to_re * to_re + to_im * to_im;
  }
}

// The block's cross-spectrum as if the degraded recording lay so much earlier.
void PhaseEqualiser::turn(std::size_t block, double samples) {
  const double step = 2 * std::numbers::pi * samples / model_.block;
  const std::complex<double> turn = std::polar(1.0, step);
  std::complex<double> now = std::polar(1.0, step * static_cast<double>(first_bin_));
  const Complex* from = cross_.data() + block * bins_;
  for (std::size_t n = 0; n < bins_; ++n) {
    const auto re = static_cast<float>(now.real());
    const auto im = static_cast<float>(now.imag());
    turned_[n] = {from[n].real() * re - from[n].imag() * im, from[n].real() * im + from[n].imag() * re};
    now = {now.real() * turn.real() - now.imag() * turn.imag(), now.real() * turn.imag() + now.imag() * turn.real()};
  }
}

void PhaseEqualiser::measure(std::span<const double> expected, std::span<const double> weight, std::span<double> rest) {
  pooled_.assign(bins_, {});
  share_.resize(blocks_);
  from_power_.assign(bins_, 0);
  to_power_.assign(bins_, 0);
  for (std::size_t block = 0; block < blocks_; ++block) {
    turn(block, expected[block]);
    const std::size_t row = block * bins_;
    double energy = 1e-20;
    for (std::size_t n = 0; n < bins_; ++n) energy += reference_power_[row + n];
    // Loud blocks do not say more of the line than others.
    const double share = weight[block] / energy;
    share_[block] = share;
    for (std::size_t n = 0; n < bins_; ++n) {
      pooled_[n] += share * std::complex<double>(turned_[n]);
      from_power_[n] += share * reference_power_[row + n];
      to_power_[n] += share * degraded_power_[row + n];
    }
  }
  // Of blocks that have nothing in common.
  const double by_chance = 2.0 / (2.0 + static_cast<double>(blocks_));
  for (std::size_t n = 0; n < bins_; ++n) {
    const double size = std::abs(pooled_[n]) + 1e-30;
    const double seen = size * size / (from_power_[n] * to_power_[n] + 1e-30);
    const double coherence = std::clamp((seen - by_chance) / (1 - by_chance), 0.0, 1.0);
    const double bin_weight = coherence / ((1 + kIncoherent - coherence) * size);
    phase_[n] = Complex(std::conj(pooled_[n]) / size * bin_weight);
    own_[n] = static_cast<float>(bin_weight / size);
  }
  const double radians = 2 * std::numbers::pi / model_.block;
  for (std::size_t block = 0; block < blocks_; ++block) {
    turn(block, expected[block]);
    double slope = 0;
    double curvature = 0;
    double most = 1e-30;
    for (std::size_t n = 0; n < bins_; ++n) {
      const double omega = radians * static_cast<double>(first_bin_ + n);
      // Without the block's own part in the phase, which would say that it lies where it was expected.
      const double own = share_[block] * own_[n] * std::norm(turned_[n]);
      const double re = turned_[n].real() * phase_[n].real() - turned_[n].imag() * phase_[n].imag() - own;
      const double im = turned_[n].real() * phase_[n].imag() + turned_[n].imag() * phase_[n].real();
      slope -= omega * im;
      curvature += omega * omega * re;
      most += omega * omega * std::abs(re);
    }
    rest[block] = std::clamp(slope / std::max(curvature, kLeastSlope * most), -1.0, 1.0);
  }
}

}  // namespace vqas::scoring
