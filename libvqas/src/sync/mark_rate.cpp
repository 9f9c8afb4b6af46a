#include "sync/mark_rate.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "vqas/signal/resample.h"
#include "vqas/signal/wide_rate.h"

namespace vqas::sync {

MarkRate::MarkRate(int rate_hz) : scale_(static_cast<std::size_t>(rate_hz / kLineRateHz)) {
  assert(rate_hz == kLineRateHz || rate_hz == kWideRateHz);
}

std::span<const float> MarkRate::push(std::span<const float> samples) {
  if (scale_ == 1) return samples;
  halved_.resize(samples.size() / 2);
  constexpr std::size_t kPiece = TwiceRate::kMost;
  for (std::size_t at = 0; at < halved_.size(); at += kPiece) {
    const std::size_t count = std::min(kPiece, halved_.size() - at);
    halving_.down(samples.subspan(2 * at, 2 * count), std::span(halved_).subspan(at, count));
  }
  const std::size_t left_out = std::min(ahead_, halved_.size());
  ahead_ -= left_out;
  return std::span(halved_).subspan(left_out);
}

std::vector<float> mark_at(std::vector<float> mark, int rate_hz) {
  if (rate_hz == kLineRateHz) return mark;
  // Both rates are within the limits of resample().
  return resample(Signal{std::move(mark), kLineRateHz}, rate_hz)->samples;
}

}  // namespace vqas::sync
