#pragma once

#include <portaudio.h>

namespace vqas {

/// What PortAudio calls for each period: hands its buffers and flags to an AudioCallback, which `callback` points at.
/// Real-time safe: neither allocates nor locks, and makes no system call but to read the clock.
int portaudio_callback(const void* in, void* out, unsigned long frames, const PaStreamCallbackTimeInfo* times,
                       PaStreamCallbackFlags flags, void* callback);

}  // namespace vqas
