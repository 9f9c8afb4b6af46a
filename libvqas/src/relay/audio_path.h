#pragma once

#include <span>
#include <vector>

#include "line/stream_resampler.h"
#include "relay/live_channel.h"
#include "vqas/channel/g711.h"

namespace vqas {

/// Sound through G.711 and the digital part of a profile, at any rate: to 8 kHz, codec, and back. Uses no devices and
/// no clocks. For one thread; allocates.
class AudioPath {
 public:
  /// `rate_hz` is 8000..192000; at 8000 nothing is resampled and the output is the codec's, sample for sample.
  AudioPath(double rate_hz, const Profile& profile, std::uint64_t seed, std::uint64_t stream);

  /// The output while `heard` goes in; valid until the next call. Resampling delays some samples.
  std::span<const float> process(std::span<const float> heard);
  LiveChannel& channel() { return channel_; }
  /// LiveChannel::change(), and codes by `law` from the next sample on.
  OctetChannel change(OctetChannel made, G711Law law);

 private:
  std::span<const float> coded(std::span<const float> at_8k);

  G711Law law_;
  LiveChannel channel_;
  StreamResampler down_, up_;
  std::vector<float> decoded_;
  std::vector<std::uint8_t> octets_;
};

}  // namespace vqas
