#pragma once

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>

#include "line/audio_backend.h"

namespace vqas {

/// When a callback came: for the thread that judges the clocks.
struct CallbackTime {
  std::uint64_t frame = 0;  ///< of its first sample, since the stream began
  std::int64_t now_ns = 0;
};

/// Counters that the callback alone writes.
struct AudioCounters {
  std::atomic<std::uint32_t> input_overflows{0}, input_underflows{0}, output_overflows{0}, output_underflows{0};
  std::atomic<std::uint64_t> dropped{0};  ///< frames heard for which the ring had no room
  std::atomic<std::uint64_t> missing{0};  ///< frames played as silence because the ring was empty
  std::atomic<std::uint64_t> callbacks{0};
};

/// What stands between a sound device and the node: the device's callback moves samples of one channel through
/// lock-free rings and counts. One thread other than the callback's reads and writes the rings.
class AudioPort final : public AudioCallback {
 public:
  struct Channels {
    int input_count = 1, input_pick = 1;    ///< opened, and the one that is heard, from 1
    int output_count = 1, output_pick = 1;  ///< opened, and the one that is played to
  };
  /// Rings of `room` samples.
  AudioPort(Channels channels, std::size_t room);

  /// Real-time safe.
  void audio(const AudioBuffers& buffers) noexcept override;

  boost::lockfree::spsc_queue<float> heard, to_play;
  boost::lockfree::spsc_queue<CallbackTime> heard_times, played_times;
  AudioCounters counters;

 private:
  void hear(const AudioBuffers& buffers) noexcept;
  void play(const AudioBuffers& buffers) noexcept;

  const Channels channels_;
  std::uint64_t heard_frames_ = 0, played_frames_ = 0;  // of the callbacks alone
};

}  // namespace vqas
