#include "score/block_correlator.h"

#include <algorithm>

namespace vqas::scoring {

BlockCorrelator::BlockCorrelator(const AlignmentModel& model)
    : model_(model),
      fft_(static_cast<std::size_t>(model.block_fft)),
      work_(static_cast<std::size_t>(model.block_fft)),
      work_spectrum_(fft_.row()),
      product_(fft_.row()) {}

void BlockCorrelator::assign(std::span<const float> reference) {
  const auto block = static_cast<std::size_t>(model_.block);
  blocks_ = static_cast<int>(std::max<std::size_t>(1, (reference.size() + block - 1) / block));
  const auto count = static_cast<std::size_t>(blocks_);
  samples_.assign(count * block, 0.0F);
  std::copy(reference.begin(), reference.end(), samples_.begin());
  known_.assign(count, 0);
  spectra_.resize(count * fft_.row());
  energy_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    double energy = 0;
    for (std::size_t n = k * block; n < (k + 1) * block; ++n) energy += static_cast<double>(samples_[n]) * samples_[n];
    energy_[k] = energy;
  }
}

const Complex* BlockCorrelator::spectrum(int block) {
  const auto k = static_cast<std::size_t>(block);
  Complex* row = spectra_.data() + k * fft_.row();
  if (known_[k] == 0) {
    const auto length = static_cast<std::size_t>(model_.block);
    std::fill(work_.begin(), work_.end(), 0.0F);
    std::copy_n(samples_.begin() + static_cast<std::ptrdiff_t>(k * length), length, work_.begin());
    fft_.forward(work_.data(), row);
    known_[k] = 1;
  }
  return row;
}

void BlockCorrelator::accumulate(int block, int delay, const PaddedSignal& degraded, bool first) {
  const Complex* reference = spectrum(block);
  std::copy_n(degraded.at(block * model_.block + delay - model_.block_range, model_.block_fft), model_.block_fft,
              work_.begin());
  fft_.forward(work_.data(), work_spectrum_.data());
  for (std::size_t k = 0; k < fft_.bins(); ++k) {
    // Written out: the multiplication of std::complex also looks for infinities.
    const float re = reference[k].real() * work_spectrum_[k].real() + reference[k].imag() * work_spectrum_[k].imag();
    const float im = reference[k].real() * work_spectrum_[k].imag() - reference[k].imag() * work_spectrum_[k].real();
    product_[k] = first ? Complex(re, im) : Complex(product_[k].real() + re, product_[k].imag() + im);
  }
}

void BlockCorrelator::take_lags(std::span<float> lags) {
  fft_.inverse(product_.data(), work_.data());
  const float scale = 1.0F / static_cast<float>(model_.block_fft);
  for (std::size_t lag = 0; lag < lags.size(); ++lag) lags[lag] = work_[lag] * scale;
}

void BlockCorrelator::correlate(int block, int delay, const PaddedSignal& degraded, std::span<float> lags) {
  accumulate(block, delay, degraded, true);
  take_lags(lags);
}

void BlockCorrelator::correlate(std::span<const int> blocks, int delay, const PaddedSignal& degraded,
                                std::span<float> lags) {
  bool first = true;
  for (const int block : blocks) {
    accumulate(block, delay, degraded, first);
    first = false;
  }
  take_lags(lags);
}

double BlockCorrelator::seen_energy(int block, int delay, const PaddedSignal& degraded) const {
  return degraded.energy(block * model_.block + delay - model_.block_range, model_.block_fft);
}

double BlockCorrelator::block_energy(int block, int delay, const PaddedSignal& degraded) const {
  return degraded.energy(block * model_.block + delay, model_.block);
}

}  // namespace vqas::scoring
