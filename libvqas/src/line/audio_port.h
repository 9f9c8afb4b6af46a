#pragma once

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>

#include "line/audio_backend.h"

namespace vqas {

/// Time of a callback, for the thread that compares the clocks.
struct CallbackTime {
  std::uint64_t frame = 0;  ///< of its first sample, since the stream started
  std::int64_t now_ns = 0;
};

/// Counters written only by the callback.
struct AudioCounters {
  std::atomic<std::uint32_t> input_overflows{0}, input_underflows{0}, output_overflows{0}, output_underflows{0};
  std::atomic<std::uint64_t> dropped{0};  ///< received frames for which the ring had no room
  std::atomic<std::uint64_t> missing{0};  ///< frames played as silence because the ring was empty
  std::atomic<std::uint64_t> callbacks{0};
};

/// Connects a sound device with the node: the device's callback moves samples of one channel through lock-free rings
/// and counts. One other thread reads and writes the rings.
class AudioPort final : public AudioCallback {
 public:
  struct Channels {
    int input_count = 1, input_pick = 1;    ///< number opened, and the one recorded, from 1
    int output_count = 1, output_pick = 1;  ///< number opened, and the one played to, from 1
  };
  /// Rings of `room` samples; that of the output also holds `lead` of silence.
  AudioPort(Channels channels, std::size_t room, std::size_t lead = 0);

  /// Real-time safe.
  void audio(const AudioBuffers& buffers) noexcept override;

  boost::lockfree::spsc_queue<float> heard, to_play;
  boost::lockfree::spsc_queue<CallbackTime> heard_times, played_times;
  AudioCounters counters;

 private:
  void hear(const AudioBuffers& buffers) noexcept;
  void play(const AudioBuffers& buffers) noexcept;

  const Channels channels_;
  std::uint64_t heard_frames_ = 0, played_frames_ = 0;  // used only by the callback
};

}  // namespace vqas
