#pragma once

#include <portaudio.h>

#include <vector>

#include "vqas/line/audio_devices.h"

namespace vqas {

/// PortAudio counts its users: each Pa_Initialize() wants its Pa_Terminate(). Devices are looked for when the first one
/// comes.
class PortAudioUser {
 public:
  PortAudioUser() : fault_(Pa_Initialize()) {}
  ~PortAudioUser() {
    if (fault_ == paNoError) Pa_Terminate();
  }
  PortAudioUser(const PortAudioUser&) = delete;
  PortAudioUser& operator=(const PortAudioUser&) = delete;
  PaError fault() const { return fault_; }

 private:
  const PaError fault_;
};

/// The devices of every host API under the names that PortAudio gives them. While there is a user.
std::vector<AudioDevice> portaudio_devices();

}  // namespace vqas
