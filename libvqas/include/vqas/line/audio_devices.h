#pragma once

#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// A sound device of this machine, by names that stay when others come and go.
struct AudioDevice {
  int number = 0;               ///< PortAudio's index; another one after a device was plugged in or out
  std::string host;             ///< token of the host API: "alsa", "jack", "oss", "coreaudio", "wasapi", …
  std::string host_name;        ///< what PortAudio calls it, "JACK Audio Connection Kit"
  std::string name;             ///< without the number that ALSA gives cards in the order in which it found them;
                                ///< of several alike "NAME #1", "NAME #2", …
  int inputs = 0, outputs = 0;  ///< channels
  double rate_hz = 0;           ///< its own
  double input_latency_s = 0, output_latency_s = 0;  ///< lowest that it offers
  std::vector<int> rates_hz;                         ///< usual rates that it takes, as far as it was asked
  bool default_input = false, default_output = false;
};

/// The line's name that opens this device at both ends of it, "audio:loopback?host=jack".
std::string audio_line_name(const AudioDevice& device);

/// All devices of every host API that PortAudio was built with. `rates`: also ask each for the rates it takes, which
/// may take a second a device. Fails with io. Not while audio lines of this process are being opened.
Result<std::vector<AudioDevice>> audio_devices(bool rates);

}  // namespace vqas
