#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "vqas/channel/error_counters.h"
#include "vqas/channel/g711.h"
#include "vqas/relay/conditions.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A sound device as PortAudio names it.
struct SoundDevice {
  int number = 0;
  std::string name;  ///< "host: device"
  int inputs = 0;
  int outputs = 0;
  double rate_hz = 0;  ///< its own
};
/// What this machine has. Fails with io.
Result<std::vector<SoundDevice>> sound_devices();

struct AudioRelayOptions {
  std::string in;      ///< number of a device or a part of its name; empty: the default one
  std::string out;     ///< likewise
  double rate_hz = 0;  ///< 8000..192000, of both devices; 0: the input's own
  G711Law law = G711Law::mu;
  RelayConditions conditions;  ///< bit errors and delay; there are no packets here
  std::uint64_t seed = 1;
  double buffer_ms = 60;  ///< held ready for the output against uneven callbacks, 5..1000; adds to the delay
};

struct AudioRelayCounters {
  std::uint64_t heard = 0;         ///< samples from the input, at its rate
  std::uint64_t played = 0;        ///< samples to the output
  std::uint64_t overflows = 0;     ///< samples lost because the relay came too late for the input
  std::uint64_t underflows = 0;    ///< samples of silence played because nothing was ready
  std::uint64_t slips = 0;         ///< samples left out because the output's clock is slower than the input's
  std::uint64_t device_flags = 0;  ///< callbacks in which PortAudio told of an overflow or underflow of its own
  ErrorCounters errors;            ///< of the G.711 stream between
};

/// Sound in, G.711 with bit errors and delay, sound out. The devices' callbacks only move samples through lock-free
/// rings; a thread of its own resamples to 8 kHz, encodes, decodes, and resamples back. The methods may be called from
/// one other thread.
class AudioRelay {
 public:
  /// Opens the devices and begins. Fails with bad_input (names the option and lists the devices) or io.
  static Result<std::unique_ptr<AudioRelay>> start(const AudioRelayOptions& options);
  ~AudioRelay();
  AudioRelay(const AudioRelay&) = delete;
  AudioRelay& operator=(const AudioRelay&) = delete;

  AudioRelayCounters counters() const;
  /// Bit errors from now on; the delay stays as it began. Fails with bad_input.
  Status change(const RelayConditions& conditions);
  void inject(std::uint32_t bits);
  const std::string& input() const;   ///< the device's name
  const std::string& output() const;  ///< likewise
  double rate_hz() const;

 private:
  struct Engine;
  explicit AudioRelay(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
