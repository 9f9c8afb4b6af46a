#include "score/dsp/lane_fft.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace vqas::scoring {
namespace {

/// Whether a stage of this span has butterflies of two; the others have four.
bool is_of_two(std::size_t span) {
  return std::countr_zero(span) % 2 != 0;
}

/// Where a transform that leaves its blocks in place puts a bin.
std::size_t place_of(std::size_t bin, std::size_t span) {
  if (span == 1) return 0;
  const std::size_t branches = is_of_two(span) ? 2 : 4;
  return bin % branches * (span / branches) + place_of(bin / branches, span / branches);
}

}  // namespace

LaneFft::LaneFft(std::span<const float> window) : size_(window.size()), window_(window.begin(), window.end()) {
  for (auto* part : {&re_, &im_}) part->resize(size_ * kLanes);
  for (auto* sums : {&match_power_, &cross_}) sums->resize(kFramesAtOnce);
  for (std::size_t bin = 0; bin < size_; ++bin) place_.push_back(static_cast<int>(place_of(bin, size_)));
  for (std::size_t span = size_; span > 4;) {
    const std::size_t branches = is_of_two(span) ? 2 : 4;
    for (std::size_t n = 0; n < span / branches; ++n) {
      for (std::size_t branch = 1; branch < branches; ++branch) {
        const double angle = -2 * std::numbers::pi * static_cast<double>(branch * n) / static_cast<double>(span);
        twiddles_.push_back(static_cast<float>(std::cos(angle)));
        twiddles_.push_back(static_cast<float>(std::sin(angle)));
      }
    }
    span /= branches;
  }
}

double LaneFft::power_of_difference(double frequency) {
  return std::pow(2 * std::sin(std::numbers::pi * frequency), 2);
}

void LaneFft::transform(const Frames& frames) {
  load_lanes(frames, window_, re_.data(), im_.data());
  transform_lanes(re_.data(), im_.data(), size_, twiddles_.data());
}

void LaneFft::sum(const LaneSums& of, std::span<float> spectrum) {
  bands_.resize((of.edges.size() - 1) * kFramesAtOnce);
  sum_lanes(re_.data(), im_.data(), place_, of,
            {bands_.data(), match_power_.data(), nullptr, nullptr, spectrum.data()});
}

void LaneFft::sum_beside(const LaneSums& of, std::span<const float> other) {
  bands_.resize((of.edges.size() - 1) * kFramesAtOnce);
  sum_lanes(re_.data(), im_.data(), place_, of,
            {bands_.data(), match_power_.data(), cross_.data(), other.data(), nullptr});
}

void LaneFft::sum_bands(const LaneSums& of) {
  bands_.resize((of.edges.size() - 1) * kFramesAtOnce);
  sum_lanes(re_.data(), im_.data(), place_, of, {bands_.data(), nullptr, nullptr, nullptr, nullptr});
}

}  // namespace vqas::scoring
