#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/line/audio_devices.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What a sound device hands over at a time. Samples of several channels are interleaved.
struct AudioBuffers {
  const float* in = nullptr;  ///< null: this callback only plays
  float* out = nullptr;       ///< null: this callback only hears
  std::size_t frames = 0;
  std::int64_t now_ns = 0;  ///< CLOCK_MONOTONIC at the callback
  bool input_overflow = false, input_underflow = false, output_overflow = false, output_underflow = false;
};

/// Called by the sound system's own thread: no locks, no allocation, no system calls.
class AudioCallback {
 public:
  virtual ~AudioCallback() = default;
  virtual void audio(const AudioBuffers& buffers) noexcept = 0;
};

struct AudioStreamRequest {
  std::optional<AudioDevice> input, output;
  int input_channels = 1, output_channels = 1;  ///< to be opened
  int rate_hz = 8000;
  int period = 0;      ///< frames; 0: what the device likes
  std::string client;  ///< by which name this program is known to the sound system, where it has names
};

/// A stream that runs from its making until its end. Its destructor returns in bounded time even where the sound system
/// does not answer any more.
class AudioStream {
 public:
  virtual ~AudioStream() = default;
  /// One callback serves both directions, so that both count the same frames.
  virtual bool one_clock() const = 0;
  /// Delays of output and input together, as the sound system gives them, in ms; 0: it does not.
  virtual double latency_ms() const { return 0; }
};

/// A sound system; tests have one of their own.
class AudioBackend {
 public:
  virtual ~AudioBackend() = default;
  virtual Result<std::vector<AudioDevice>> devices() = 0;
  /// Fails with io, naming the device and the cure.
  virtual Result<std::unique_ptr<AudioStream>> open(const AudioStreamRequest& request,
                                                    std::shared_ptr<AudioCallback> callback) = 0;
};

/// PortAudio. Keeps the libraries behind it from writing to standard error.
std::unique_ptr<AudioBackend> portaudio_backend();

/// Gives devices of one host API that have one name the names "NAME #1", "NAME #2", …, in the order they are in.
void number_alike(std::vector<AudioDevice>& devices);

/// Chooses by exact name, else by a part of the name that one device has alone; empty: the default one, of `host` if
/// that is not empty. Fails with bad_input and lists what there is.
Result<AudioDevice> choose_device(const std::vector<AudioDevice>& devices, const std::string& name,
                                  const std::string& host, bool input);

}  // namespace vqas
