#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vqas/line/audio_devices.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What this machine has, each device by the name that open_sound_devices() takes: "host: device", as PortAudio names
/// both. Fails with io.
Result<std::vector<AudioDevice>> sound_devices();

/// Whoever takes samples from a SoundPort and gives samples to it. Called in real-time threads, each method from one:
/// neither may block or allocate.
class SoundUser {
 public:
  virtual ~SoundUser() = default;
  /// Samples that came in, ±1 is full scale; `device_lost` if the device says that it lost some before.
  virtual void heard(std::span<const float> samples, bool device_lost) = 0;
  /// To be filled with what goes out; `device_lost` as above.
  virtual void wanted(std::span<float> samples, bool device_lost) = 0;
};

/// One channel of sound in and one out, at one rate: sound devices, or what a test puts in their place.
class SoundPort {
 public:
  virtual ~SoundPort() = default;
  virtual const std::string& input() const = 0;   ///< for people
  virtual const std::string& output() const = 0;  ///< likewise
  virtual double rate_hz() const = 0;
  /// Calls `user`, which outlives the port, from now until the port's end. Once. Fails with io.
  virtual Status start(SoundUser& user) = 0;
};

/// Opens devices through PortAudio. `in` and `out` are a number or a part of a name, or empty for the default one;
/// `rate_hz` is 8000..192000, or 0 for the input's own. Fails with bad_input (names the option and lists the devices)
/// or io.
Result<std::unique_ptr<SoundPort>> open_sound_devices(const std::string& in, const std::string& out, double rate_hz);

}  // namespace vqas
