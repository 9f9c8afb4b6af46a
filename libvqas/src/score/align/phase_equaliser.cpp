#include "score/align/phase_equaliser.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <numbers>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

constexpr double kIncoherent = 0.05;  // share of noise that is assumed even where none is seen
constexpr double kLeastSlope = 0.3;   // of the correlation's curvature: keeps a block far away from leaping

}  // namespace

PhaseEqualiser::PhaseEqualiser(const AlignmentModel& model)
    : model_(model),
      first_bin_(static_cast<std::size_t>(std::ceil(kTelephoneFromHz * model.block / model.rate_hz))),
      bins_(static_cast<std::size_t>(std::floor(kTelephoneToHz * model.block / model.rate_hz)) - first_bin_ + 1) {}

void PhaseEqualiser::clear() {
  blocks_ = 0;
  from_power_.assign(bins_, 0);
  to_power_.assign(bins_, 0);
}

void PhaseEqualiser::add(const float* reference, const float* degraded, double weight) {
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
    for (auto* row : {&from_re_, &from_im_, &to_re_, &to_im_, &from_square_, &to_square_}) row->resize(bins_);
    for (auto* row : {&phase_re_, &phase_im_, &own_}) row->resize(bins_);
    const double radians = 2 * std::numbers::pi / model_.block;
    for (std::size_t n = 0; n < bins_; ++n)
      omega_.push_back(static_cast<float>(radians * static_cast<double>(first_bin_ + n)));
  }
  interleave_windowed(reference, degraded, window_.data(), model_.block, work_.data());
  fft_->forward(work_.data(), spectrum_.data());
  const SplitSpectrum from{from_re_.data(), from_im_.data()};
  const SplitSpectrum to{to_re_.data(), to_im_.data()};
  split_spectrum(spectrum_.data(), model_.block, static_cast<int>(first_bin_), static_cast<int>(bins_), from, to);
  const std::size_t lane = blocks_ % kBlocks;
  const std::size_t group = blocks_ / kBlocks * kBlocks * bins_;
  ++blocks_;
  if (lane == 0) {
    for (auto* all : {&cross_re_, &cross_im_, &turned_re_, &turned_im_})
      all->resize(std::max(all->size(), group + kBlocks * bins_));
    share_.resize(blocks_ - 1 + kBlocks);
    std::fill(share_.begin() + static_cast<std::ptrdiff_t>(blocks_ - 1), share_.end(), 0.0F);
  }
  cross_spectrum(from, to, bins_, cross_re_.data() + group + lane, cross_im_.data() + group + lane);
  to_square(from_re_, from_im_, from_square_);
  to_square(to_re_, to_im_, to_square_);
  double energy = 1e-20;
  for (const float power : from_square_) energy += power;
  // Loud blocks do not say more of the line than others.
  const double share = weight / energy;
  share_[blocks_ - 1] = static_cast<float>(share);
  add_scaled(from_square_, share, from_power_);
  add_scaled(to_square_, share, to_power_);
}

// Each block's cross-spectrum as if the degraded recording lay so much earlier.
void PhaseEqualiser::turn(std::span<const double> expected) {
  for (std::size_t first = 0; first < blocks_; first += kBlocks) {
    Phasors begin;
    Phasors by;
    for (std::size_t k = 0; k < std::min(kBlocks, blocks_ - first); ++k) {
      const double step = 2 * std::numbers::pi * expected[first + k] / model_.block;
      const std::complex<double> turn = std::polar(1.0, step);
      const std::complex<double> now = std::polar(1.0, step * static_cast<double>(first_bin_));
      by.re[k] = turn.real();
      by.im[k] = turn.imag();
      begin.re[k] = now.real();
      begin.im[k] = now.imag();
    }
    const std::size_t at = first * bins_;
    turn_blocks(cross_re_.data() + at, cross_im_.data() + at, bins_, begin, by, turned_re_.data() + at,
                turned_im_.data() + at);
  }
}

void PhaseEqualiser::pool() {
  pooled_re_.assign(bins_, 0);
  pooled_im_.assign(bins_, 0);
  for (std::size_t first = 0; first < blocks_; first += kBlocks) {
    const std::size_t at = first * bins_;
    pool_blocks(turned_re_.data() + at, turned_im_.data() + at, share_.data() + first, pooled_re_, pooled_im_);
  }
  // Of blocks that have nothing in common.
  const double by_chance = 2.0 / (2.0 + static_cast<double>(blocks_));
  for (std::size_t n = 0; n < bins_; ++n) {
    const std::complex<double> pooled(pooled_re_[n], pooled_im_[n]);
    const double size = std::abs(pooled) + 1e-30;
    const double seen = size * size / (from_power_[n] * to_power_[n] + 1e-30);
    const double coherence = std::clamp((seen - by_chance) / (1 - by_chance), 0.0, 1.0);
    const double bin_weight = coherence / ((1 + kIncoherent - coherence) * size);
    const Complex phase(std::conj(pooled) / size * bin_weight);
    phase_re_[n] = phase.real();
    phase_im_[n] = phase.imag();
    own_[n] = static_cast<float>(bin_weight / size);
  }
}

void PhaseEqualiser::measure(std::span<const double> expected, std::span<double> rest) {
  turn(expected);
  pool();
  for (std::size_t first = 0; first < blocks_; first += kBlocks) {
    PhaseSlopes sums;
    std::fill(std::begin(sums.most), std::end(sums.most), 1e-30F);
    const std::size_t at = first * bins_;
    slopes_of(turned_re_.data() + at, turned_im_.data() + at, share_.data() + first,
              {omega_, phase_re_, phase_im_, own_}, sums);
    for (std::size_t k = 0; k < std::min(kBlocks, blocks_ - first); ++k) {
      const double curvature = std::max<double>(sums.curvature[k], kLeastSlope * sums.most[k]);
      rest[first + k] = std::clamp(sums.slope[k] / curvature, -1.0, 1.0);
    }
  }
}

}  // namespace vqas::scoring
