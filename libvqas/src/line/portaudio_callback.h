#pragma once

#include <portaudio.h>

namespace vqas {

/// Called by PortAudio for each period: passes its buffers and flags to the AudioCallback at `callback`. Real-time
/// safe: does not allocate or lock, and makes no system call except to read the clock.
int portaudio_callback(const void* in, void* out, unsigned long frames, const PaStreamCallbackTimeInfo* times,
                       PaStreamCallbackFlags flags, void* callback);

}  // namespace vqas
