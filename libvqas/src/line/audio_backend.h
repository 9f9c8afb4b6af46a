#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/line/audio_devices.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The buffers of one callback of a sound device. Samples of several channels are interleaved.
struct AudioBuffers {
  const float* in = nullptr;  ///< null: this callback only plays
  float* out = nullptr;       ///< null: this callback only records
  std::size_t frames = 0;
  std::int64_t now_ns = 0;  ///< CLOCK_MONOTONIC at the callback
  bool input_overflow = false, input_underflow = false, output_overflow = false, output_underflow = false;
};

/// Called by the sound system's thread: no locks, no allocation, no system calls.
class AudioCallback {
 public:
  virtual ~AudioCallback() = default;
  virtual void audio(const AudioBuffers& buffers) noexcept = 0;
};

struct AudioStreamRequest {
  std::optional<AudioDevice> input, output;
  int input_channels = 1, output_channels = 1;  ///< to be opened
  int rate_hz = 8000;
  int period = 0;      ///< frames; 0: the device's preference
  std::string client;  ///< name of this program at the sound system, where it has names
};

/// A stream that runs from construction to destruction. Its destructor returns in bounded time even if the sound system
/// hangs.
class AudioStream {
 public:
  virtual ~AudioStream() = default;
  /// One callback serves both directions, so that both count the same frames.
  virtual bool one_clock() const = 0;
  /// Sum of output and input latency, as reported by the sound system, in ms; 0: unknown.
  virtual double latency_ms() const { return 0; }
};

/// A sound system; tests use their own.
class AudioBackend {
 public:
  virtual ~AudioBackend() = default;
  virtual Result<std::vector<AudioDevice>> devices() = 0;
  /// Fails with io, naming the device and the remedy.
  virtual Result<std::unique_ptr<AudioStream>> open(const AudioStreamRequest& request,
                                                    std::shared_ptr<AudioCallback> callback) = 0;
};

/// PortAudio. Keeps its libraries from writing to standard error.
std::unique_ptr<AudioBackend> portaudio_backend();

/// Renames devices of one host API with equal names to "NAME #1", "NAME #2", …, in their order.
void number_alike(std::vector<AudioDevice>& devices);

/// Chooses by exact name, otherwise by a part of the name that is unique to one device; empty: the default device, of
/// `host` if that is not empty. Fails with bad_input and lists the devices.
Result<AudioDevice> choose_device(const std::vector<AudioDevice>& devices, const std::string& name,
                                  const std::string& host, bool input);

}  // namespace vqas
