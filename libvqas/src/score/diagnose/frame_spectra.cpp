#include "score/diagnose/frame_spectra.h"

#include <algorithm>
#include <numeric>

namespace vqas::scoring {

FrameSpectra::FrameSpectra(int frame)
    : frame_(static_cast<std::size_t>(frame)),
      half_(frame_ / 2),
      stride_(frame_ + kLanes / 2),
      fft_(frame_),
      work_(frame_),
      factor_(frame_),
      product_(frame_),
      re_(frame_),
      im_(frame_),
      groups_(frame_ / kGroup),
      even_(half_),
      odd_(half_) {}

void FrameSpectra::assign(std::span<const float> samples) {
  size_ = samples.size();
  count_ = std::max(0, static_cast<int>(samples.size() / half_) - 1);
  halves_.resize(samples.size() / half_);
  energies(samples.data(), static_cast<int>(half_), halves_);
  const double energy = std::accumulate(halves_.begin(), halves_.end(), 0.0);
  power_ = energy / static_cast<double>(std::max<std::size_t>(1, halves_.size() * half_));
  // Rows for the frames, one before them and those that reach beyond the end.
  const std::size_t rows = (samples.size() / half_ + 3) / 2 * 2;
  both_.resize(rows / 2 * stride_);
  split_pair_ = rows;
  for (std::size_t pair = 0; pair < rows / 2; ++pair) {
    // One complex transform serves two frames.
    const float* first = three_halves(samples, 2 * pair);
    interleave(first, first + half_, static_cast<int>(frame_), work_.data());
    Complex* const both = both_.data() + pair * stride_;
    fft_.forward(work_.data(), both);
    both[frame_] = both[0];
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

FrameSpectra::Frame FrameSpectra::of(int frame) {
  const std::size_t pair = row_of(frame) / 2;
  if (pair != split_pair_) {
    split_windowed(both_.data() + pair * stride_, static_cast<int>(frame_), {re_.data(), im_.data()},
                   {re_.data() + half_, im_.data() + half_});
    // Behind the last bin.
    for (auto* part : {&re_, &im_}) (*part)[half_ - 1] = (*part)[frame_ - 1] = 0;
    group_powers(re_, im_, groups_);
    split_pair_ = pair;
  }
  const std::size_t row = row_of(frame) % 2;
  return {{re_.data() + row * half_, im_.data() + row * half_},
          std::span(groups_).subspan(row * half_ / kGroup, half_ / kGroup)};
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
  for (std::size_t bin = 0; bin <= half_; ++bin) {
    factor_[bin] = std::conj(response[bin]);
    if (bin > 0) factor_[frame_ - bin] = response[bin];
  }
  factor_[half_] = response[half_];
  for (std::size_t row = 0; row * half_ < to.size() + half_; row += 2) {
    conjugate_product(factor_.data(), both_.data() + row / 2 * stride_, frame_, product_.data());
    fft_.inverse(product_.data(), work_.data());
    take_apart(work_.data() + half_ / 2, 1 / static_cast<float>(frame_), even_, odd_);
    put_middle(even_, row, to);
    put_middle(odd_, row + 1, to);
  }
}

}  // namespace vqas::scoring
