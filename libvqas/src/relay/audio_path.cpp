#include "relay/audio_path.h"

#include <algorithm>
#include <utility>

#include "vqas/signal/signal.h"

namespace vqas {

AudioPath::AudioPath(double rate_hz, const Profile& profile, std::uint64_t seed, std::uint64_t stream)
    : law_(profile.line.law),
      channel_(profile, seed, stream),
      down_(rate_hz, kLineRateHz, StreamQuality::medium),
      up_(kLineRateHz, rate_hz, StreamQuality::medium) {}

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

OctetChannel AudioPath::change(OctetChannel made, G711Law law) {
  law_ = law;
  return channel_.change(std::move(made));
}

std::span<const float> AudioPath::process(std::span<const float> heard) {
  return up_.process(coded(down_.process(heard)));
}

}  // namespace vqas
