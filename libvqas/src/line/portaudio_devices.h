#pragma once

#include <portaudio.h>

#include <vector>

#include "vqas/line/audio_devices.h"

namespace vqas {

/// PortAudio counts its users: each Pa_Initialize() needs its Pa_Terminate(). Devices are enumerated for the first
/// user; messages of the libraries below it about missing devices are not printed.
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

/// The devices of every host API with PortAudio's names. Needs a PortAudioUser.
std::vector<AudioDevice> portaudio_devices();

}  // namespace vqas
