#pragma once

#include <portaudio.h>

#include <vector>

#include "vqas/line/audio_devices.h"

namespace vqas {

/// PortAudio counts its users: each Pa_Initialize() wants its Pa_Terminate(). Devices are looked for when the first one
/// comes; what the libraries beneath write to standard error of those that are not there is nothing to a user.
class PortAudioUser {
 public:
  PortAudioUser();
  ~PortAudioUser();
  PortAudioUser(const PortAudioUser&) = delete;
  PortAudioUser& operator=(const PortAudioUser&) = delete;
  PaError fault() const { return fault_; }

 private:
  PaError fault_ = paNoError;
};

/// The devices of every host API under the names that PortAudio gives them. While there is a user.
std::vector<AudioDevice> portaudio_devices();

}  // namespace vqas
