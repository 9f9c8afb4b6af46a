#include "score/align/block_correlator.h"

#include <algorithm>

#include "score/dsp/kernels.h"

namespace vqas::scoring {

BlockCorrelator::BlockCorrelator(const AlignmentModel& model)
    : model_(model),
      fft_(static_cast<std::size_t>(model.block_fft())),
      last_(static_cast<std::size_t>(model.block)),
      nothing_(static_cast<std::size_t>(model.block_fft())),
      unused_(static_cast<std::size_t>(2 * model.block_range + 1)),
      padded_(2 * static_cast<std::size_t>(model.block_fft())),
      work_(static_cast<std::size_t>(model.block_fft())),
      spectrum_(static_cast<std::size_t>(model.block_fft())),
      product_(static_cast<std::size_t>(model.block_fft())) {}

void BlockCorrelator::assign(std::span<const float> reference) {
  const auto block = static_cast<std::size_t>(model_.block);
  const std::size_t count = std::max<std::size_t>(1, (reference.size() + block - 1) / block);
  reference_ = reference;
  chosen_ = nullptr;
  kept_ = 0;
  std::fill(last_.begin(), last_.end(), 0.0F);
  std::copy(reference.begin() + static_cast<std::ptrdiff_t>((count - 1) * block), reference.end(), last_.begin());
  energy_.resize(count);
  energies(reference.data(), model_.block, std::span(energy_).first(count - 1));
  energy_.back() = dot_product(last_.data(), last_.data(), model_.block);
}

const float* BlockCorrelator::samples(int block) const {
  return block + 1 < blocks() ? reference_.data() + static_cast<std::ptrdiff_t>(block) * model_.block : last_.data();
}

const float* BlockCorrelator::seen(std::size_t chosen, int delay, const PaddedSignal& degraded) const {
  return degraded.at(chosen_->blocks[chosen] * model_.block + delay - model_.block_range, model_.block_fft());
}

void BlockCorrelator::choose(std::span<const int> blocks) {
  for (std::size_t n = 0; n < kept_; ++n) {
    if (!std::equal(blocks.begin(), blocks.end(), choices_[n]->blocks.begin(), choices_[n]->blocks.end())) continue;
    chosen_ = choices_[n].get();
    return;
  }
  if (kept_ == kMostKept) kept_ = 0;
  if (kept_ == choices_.size()) choices_.push_back(std::make_unique<Choice>());
  Choice& choice = *choices_[kept_++];
  chosen_ = &choice;
  choice.blocks.assign(blocks.begin(), blocks.end());
  const std::size_t size = fft_.size();
  choice.spectra.resize((blocks.size() + 1) / 2 * size);
  std::fill(padded_.begin(), padded_.end(), 0.0F);
  for (std::size_t first = 0; first < blocks.size(); first += 2) {
    const bool alone = first + 1 == blocks.size();
    std::copy_n(samples(blocks[first]), model_.block, padded_.data());
    if (!alone) std::copy_n(samples(blocks[first + 1]), model_.block, padded_.data() + size);
    interleave(padded_.data(), alone ? nothing_.data() : padded_.data() + size, model_.block_fft(), work_.data());
    fft_.forward(work_.data(), choice.spectra.data() + first / 2 * size);
  }
}

void BlockCorrelator::correlate_sum(int delay, const PaddedSignal& degraded, std::span<float> lags) {
  // The real part of the correlation of x1 + i·x2 with y1 + i·y2 is that of x1 with y1 plus that of x2 with y2.
  std::fill(product_.begin(), product_.end(), Complex());
  for (std::size_t first = 0; first < chosen_->blocks.size(); first += 2) {
    const bool alone = first + 1 == chosen_->blocks.size();
    interleave(seen(first, delay, degraded), alone ? nothing_.data() : seen(first + 1, delay, degraded),
               model_.block_fft(), work_.data());
    fft_.forward(work_.data(), spectrum_.data());
    add_conjugate_product(chosen_->spectra.data() + first / 2 * fft_.size(), spectrum_.data(), model_.block_fft(),
                          product_.data());
  }
  fft_.inverse(product_.data(), work_.data());
  const float scale = 1.0F / static_cast<float>(model_.block_fft());
  for (std::size_t lag = 0; lag < lags.size(); ++lag) lags[lag] = work_[lag].real() * scale;
}

void BlockCorrelator::correlate_each(std::span<const int> delays, const PaddedSignal& degraded, std::span<float> lags) {
  const auto width = static_cast<std::size_t>(this->lags());
  const float scale = 0.25F / static_cast<float>(model_.block_fft());
  for (std::size_t first = 0; first < chosen_->blocks.size(); first += 2) {
    const bool alone = first + 1 == chosen_->blocks.size();
    interleave(seen(first, delays[first], degraded),
               alone ? nothing_.data() : seen(first + 1, delays[first + 1], degraded), model_.block_fft(),
               work_.data());
    fft_.forward(work_.data(), spectrum_.data());
    correlate_two(chosen_->spectra.data() + first / 2 * fft_.size(), spectrum_.data(), model_.block_fft(),
                  product_.data());
    fft_.inverse(product_.data(), work_.data());
    const auto one = lags.subspan(first * width, width);
    take_apart(work_.data(), scale, one, alone ? std::span(unused_) : lags.subspan((first + 1) * width, width));
  }
}

double BlockCorrelator::seen_energy(int block, int delay, const PaddedSignal& degraded) const {
  return degraded.energy(block * model_.block + delay - model_.block_range, model_.block_fft());
}

double BlockCorrelator::block_energy(int block, int delay, const PaddedSignal& degraded) const {
  return degraded.energy(block * model_.block + delay, model_.block);
}

}  // namespace vqas::scoring
