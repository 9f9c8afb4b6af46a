#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vqas/line/audio_devices.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The sound devices of this machine, each by the name that open_sound_devices() takes: "host: device", as PortAudio
/// names both. Fails with io.
Result<std::vector<AudioDevice>> sound_devices();

/// Takes samples from a SoundPort and gives samples to it. Real-time threads call the methods, each method from one
/// thread: neither may block or allocate.
class SoundUser {
 public:
  virtual ~SoundUser() = default;
  /// Samples from the input, ±1 is full scale. `device_lost`: the device reports that it lost some before.
  virtual void heard(std::span<const float> samples, bool device_lost) = 0;
  /// Fills the samples for the output; `device_lost` as above.
  virtual void wanted(std::span<float> samples, bool device_lost) = 0;
};

/// One channel of sound in and one out, at one rate: sound devices, or a test double.
class SoundPort {
 public:
  virtual ~SoundPort() = default;
  virtual const std::string& input() const = 0;   ///< for people
  virtual const std::string& output() const = 0;  ///< likewise
  virtual double rate_hz() const = 0;             ///< in Hz; of input and output
  /// Calls `user`, which outlives the port, from now until the port is destroyed. Call it once. Fails with io.
  virtual Status start(SoundUser& user) = 0;
};

/// Opens devices through PortAudio. `in` and `out` are a number or part of a name, or empty for the default device;
/// `rate_hz` is 8000..192000, or 0 for the input's own rate. Fails with bad_input (names the option and lists the
/// devices) or io.
Result<std::unique_ptr<SoundPort>> open_sound_devices(const std::string& in, const std::string& out, double rate_hz);

}  // namespace vqas
