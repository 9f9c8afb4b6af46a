#include "line/stream_resampler.h"

#include <soxr.h>

#include <cmath>

namespace vqas {

void StreamResampler::Free::operator()(soxr* resampler) const {
  soxr_delete(resampler);
}

StreamResampler::StreamResampler(int from_hz, int to_hz) : ratio_(static_cast<double>(to_hz) / from_hz) {
  if (from_hz == to_hz) return;
  const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_HQ, 0);
  resampler_.reset(soxr_create(from_hz, to_hz, 1, nullptr, &io, &quality, nullptr));
}

StreamResampler::~StreamResampler() = default;

std::span<const float> StreamResampler::process(std::span<const float> samples) {
  if (samples.empty()) return {};  // soxr would take it for the end of all input
  if (!resampler_) return samples;
  constexpr std::size_t kSpare = 4096;  // what was held back may come besides
  out_.resize(static_cast<std::size_t>(std::ceil(static_cast<double>(samples.size()) * ratio_)) + kSpare);
  std::size_t taken = 0, given = 0;
  soxr_process(resampler_.get(), samples.data(), samples.size(), &taken, out_.data(), out_.size(), &given);
  return std::span(out_).first(given);
}

}  // namespace vqas
