#pragma once

#include <memory>
#include <span>
#include <vector>

#include "relay/live_channel.h"
#include "vqas/channel/g711.h"

struct soxr;

namespace vqas {

/// Sound through G.711 and the digital part of a profile, at any rate: to 8 kHz, codec, and back. Without devices and
/// clocks. For one thread; allocates.
class AudioPath {
 public:
  /// `rate_hz` is 8000..192000; at 8000 nothing is resampled, and what comes out is the codec's own, sample for sample.
  AudioPath(double rate_hz, G711Law law, const Profile& profile, std::uint64_t seed, std::uint64_t stream);
  ~AudioPath();
  AudioPath(const AudioPath&) = delete;
  AudioPath& operator=(const AudioPath&) = delete;

  /// What comes out while `heard` goes in; valid until the next call. Resampling holds some samples back.
  std::span<const float> process(std::span<const float> heard);
  LiveChannel& channel() { return channel_; }

 private:
  struct FreeSoxr {
    void operator()(soxr* resampler) const;
  };
  using Resampler = std::unique_ptr<soxr, FreeSoxr>;
  static Resampler resampler(double from_hz, double to_hz);
  static std::span<const float> resampled(soxr* resampler, double ratio, std::span<const float> in,
                                          std::vector<float>& out);
  std::span<const float> coded(std::span<const float> at_8k);

  double rate_hz_;
  G711Law law_;
  LiveChannel channel_;
  Resampler down_;  // none at 8 kHz
  Resampler up_;
  std::vector<float> down_out_, decoded_, up_out_;
  std::vector<std::uint8_t> octets_;
};

}  // namespace vqas
