#include "score/diagnose/frame_spectra.h"

#include <algorithm>
#include <numeric>

namespace vqas::scoring {

FrameSpectra::FrameSpectra(int frame)
    : frame_(static_cast<std::size_t>(frame)),
      half_(frame_ / 2),
      groups_of_(half_ / kGroup),
      fft_(frame_),
      work_(frame_),
      spectrum_(frame_ + 1),
      product_(frame_),
      even_(half_),
      odd_(half_) {}

void FrameSpectra::assign(std::span<const float> samples, bool is_filtered) {
  size_ = samples.size();
  count_ = std::max(0, static_cast<int>(samples.size() / half_) - 1);
  halves_.resize(samples.size() / half_);
  energies(samples.data(), static_cast<int>(half_), halves_);
  const double energy = std::accumulate(halves_.begin(), halves_.end(), 0.0);
  power_ = energy / static_cast<double>(std::max<std::size_t>(1, halves_.size() * half_));
  // Rows for the frames, one before them and those that reach beyond the end.
  const std::size_t rows = (samples.size() / half_ + 3) / 2 * 2;
  for (auto* part : {&re_, &im_}) part->resize(rows * half_);
  groups_.resize(rows * groups_of_);
  if (is_filtered) whole_.resize(rows / 2 * frame_ + 1);
  for (std::size_t row = 0; row < rows; row += 2) {
    // One complex transform serves two frames.
    const float* first = three_halves(samples, row);
    interleave(first, first + half_, static_cast<int>(frame_), work_.data());
    Complex* const both = is_filtered ? whole_.data() + row / 2 * frame_ : spectrum_.data();
    fft_.forward(work_.data(), both);
    // Until the next two frames are there.
    both[frame_] = both[0];
    const std::size_t at = row * half_;
    split_windowed(both, static_cast<int>(frame_), {re_.data() + at, im_.data() + at},
                   {re_.data() + at + half_, im_.data() + at + half_});
    for (std::size_t k = row; k < row + 2; ++k) {
      const auto re = std::span(re_).subspan(k * half_, half_);
      const auto im = std::span(im_).subspan(k * half_, half_);
      re.back() = im.back() = 0;
      group_powers(re, im, std::span(groups_).subspan(k * groups_of_, groups_of_));
    }
  }
}

// What two rows see, with silence around the recording.
const float* FrameSpectra::three_halves(std::span<const float> samples, std::size_t row) {
  if (row > 0 && (row + 2) * half_ <= samples.size()) return samples.data() + (row - 1) * half_;
  edge_.assign(3 * half_, 0.0F);
  const std::size_t from = row > 0 ? (row - 1) * half_ : 0;
  const std::size_t to = std::min((row + 2) * half_, samples.size());
  if (from < to)
    std::copy_n(samples.begin() + static_cast<std::ptrdiff_t>(from), to - from,
                edge_.begin() + static_cast<std::ptrdiff_t>(row > 0 ? 0 : half_));
  return edge_.data();
}

SplitSpectrum FrameSpectra::of(int frame) {
  return {re_.data() + row_of(frame) * half_, im_.data() + row_of(frame) * half_};
}

std::span<const float> FrameSpectra::groups(int frame) const {
  return std::span(groups_).subspan(row_of(frame) * groups_of_, groups_of_);
}

void FrameSpectra::put_middle(std::span<const float> middle, std::size_t row, std::span<float> to) const {
  const std::size_t begin = row * half_ + half_ / 2;  // counted from half a frame before the recording
  const std::size_t first = std::max(begin, half_);
  const std::size_t last = std::min(begin + half_, half_ + to.size());
  if (first >= last) return;
  std::copy_n(middle.begin() + static_cast<std::ptrdiff_t>(first - begin), last - first,
              to.begin() + static_cast<std::ptrdiff_t>(first - half_));
}

void FrameSpectra::filter(std::span<const Complex> response, std::span<float> to) {
  // Overlap and save (A. Oppenheim and R. Schafer, "Discrete-Time Signal Processing", ch. 8): what the response wraps
  // around stays out of the middle half of each frame. Conjugated and in full, as the product wants it.
  FftBuffer<Complex>& factor = spectrum_;
  for (std::size_t bin = 0; bin <= half_; ++bin) {
    factor[bin] = std::conj(response[bin]);
    if (bin > 0) factor[frame_ - bin] = response[bin];
  }
  factor[half_] = response[half_];
  for (std::size_t row = 0; row * half_ < to.size() + half_; row += 2) {
    conjugate_product(factor.data(), whole_.data() + row / 2 * frame_, frame_, product_.data());
    fft_.inverse(product_.data(), work_.data());
    take_apart(work_.data() + half_ / 2, 1 / static_cast<float>(frame_), even_, odd_);
    put_middle(even_, row, to);
    put_middle(odd_, row + 1, to);
  }
}

}  // namespace vqas::scoring
