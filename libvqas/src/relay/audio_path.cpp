#include "relay/audio_path.h"

#include <soxr.h>

#include <algorithm>
#include <cmath>

#include "vqas/signal/signal.h"

namespace vqas {

void AudioPath::FreeSoxr::operator()(soxr* resampler) const {
  soxr_delete(resampler);
}

AudioPath::Resampler AudioPath::resampler(double from_hz, double to_hz) {
  const soxr_io_spec_t io = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  // Fewer taps than the best quality has, because they are delay here; images stay below G.711's own noise.
  const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_MQ, 0);
  return Resampler(soxr_create(from_hz, to_hz, 1, nullptr, &io, &quality, nullptr));
}

AudioPath::AudioPath(double rate_hz, G711Law law, const Profile& profile, std::uint64_t seed, std::uint64_t stream)
    : rate_hz_(rate_hz), law_(law), channel_(profile, seed, stream) {
  if (rate_hz == kLineRateHz) return;
  down_ = resampler(rate_hz, kLineRateHz);
  up_ = resampler(kLineRateHz, rate_hz);
}
AudioPath::~AudioPath() = default;

std::span<const float> AudioPath::resampled(soxr* resampler, double ratio, std::span<const float> in,
                                            std::vector<float>& out) {
  if (in.empty()) return {};          // soxr would take it for the end of all input
  constexpr std::size_t kSpare = 64;  // what was held back may come besides
  out.resize(static_cast<std::size_t>(std::ceil(static_cast<double>(in.size()) * ratio)) + kSpare);
  std::size_t taken = 0;
  std::size_t given = 0;
  soxr_process(resampler, in.data(), in.size(), &taken, out.data(), out.size(), &given);
  return std::span(out).first(given);
}

std::span<const float> AudioPath::coded(std::span<const float> at_8k) {
  octets_.resize(at_8k.size());
  decoded_.resize(at_8k.size());
  g711_encode(at_8k, octets_, law_);
  for (std::size_t begin = 0; begin < octets_.size(); begin += LiveChannel::kMostOctets) {
    channel_.process(std::span(octets_).subspan(begin, std::min(LiveChannel::kMostOctets, octets_.size() - begin)),
                     law_);
  }
  g711_decode(octets_, decoded_, law_);
  return decoded_;
}

std::span<const float> AudioPath::process(std::span<const float> heard) {
  if (!down_) return coded(heard);
  const auto at_8k = resampled(down_.get(), kLineRateHz / rate_hz_, heard, down_out_);
  return resampled(up_.get(), rate_hz_ / kLineRateHz, coded(at_8k), up_out_);
}

}  // namespace vqas
