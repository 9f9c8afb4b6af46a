#pragma once

#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// A sound device of this machine, with names that do not change when other devices are plugged in or out.
struct AudioDevice {
  int number = 0;         ///< PortAudio's index; changes when a device is plugged in or out
  std::string host;       ///< token of the host API: "alsa", "jack", "oss", "coreaudio", "wasapi", …
  std::string host_name;  ///< PortAudio's name for the host API, "JACK Audio Connection Kit"
  std::string name;  ///< without ALSA's card number, which depends on the order of discovery; equal names become "NAME
                     ///< #1", "NAME #2", …
  int inputs = 0, outputs = 0;                       ///< channels
  double rate_hz = 0;                                ///< default rate
  double input_latency_s = 0, output_latency_s = 0;  ///< lowest ones offered
  std::vector<int> rates_hz;                         ///< supported usual rates, if they were queried
  bool default_input = false, default_output = false;
};

/// The name of a line that opens this device for both directions, "audio:loopback?host=jack".
std::string audio_line_name(const AudioDevice& device);

/// All devices of every host API in this build of PortAudio. `rates`: also query the rates of each, which may take a
/// second per device. Fails with io. Not while this process is opening audio lines.
Result<std::vector<AudioDevice>> audio_devices(bool rates);

/// libasound and libjack write to standard error about every device that is not there: keeps them quiet from here on.
/// For callers of PortAudio beside the library, which does so itself. Thread-safe.
void silence_sound_libraries();

}  // namespace vqas
