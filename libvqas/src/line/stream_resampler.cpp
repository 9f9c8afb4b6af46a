#include "line/stream_resampler.h"

#include <soxr.h>

#include <cmath>

namespace vqas {

void StreamResampler::Free::operator()(soxr* resampler) const {
  soxr_delete(resampler);
}

StreamResampler::StreamResampler(double from_hz, double to_hz, StreamQuality quality)
    : ratio_(to_hz / from_hz), spare_(quality == StreamQuality::high ? 4096 : 64) {
  if (from_hz == to_hz) return;
  const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  const soxr_quality_spec_t spec = soxr_quality_spec(quality == StreamQuality::high ? SOXR_HQ : SOXR_MQ, 0);
  resampler_.reset(soxr_create(from_hz, to_hz, 1, nullptr, &io, &spec, nullptr));
}

StreamResampler::~StreamResampler() = default;

std::span<const float> StreamResampler::process(std::span<const float> samples) {
  if (samples.empty()) return {};  // soxr would take an empty block for the end of the input
  if (!resampler_) return samples;
  out_.resize(static_cast<std::size_t>(std::ceil(static_cast<double>(samples.size()) * ratio_)) + spare_);
  std::size_t taken = 0, given = 0;
  soxr_process(resampler_.get(), samples.data(), samples.size(), &taken, out_.data(), out_.size(), &given);
  return std::span(out_).first(given);
}

}  // namespace vqas
