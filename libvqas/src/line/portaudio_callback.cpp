#include "line/portaudio_callback.h"

#include "line/audio_backend.h"
#include "line/machine_clock.h"

namespace vqas {

int portaudio_callback(const void* in, void* out, unsigned long frames, const PaStreamCallbackTimeInfo* /*times*/,
                       PaStreamCallbackFlags flags, void* callback) {
  AudioBuffers buffers;
  buffers.in = static_cast<const float*>(in);
  buffers.out = static_cast<float*>(out);
  buffers.frames = frames;
  buffers.now_ns = monotonic_ns();
  buffers.input_overflow = (flags & paInputOverflow) != 0;
  buffers.input_underflow = (flags & paInputUnderflow) != 0;
  buffers.output_overflow = (flags & paOutputOverflow) != 0;
  buffers.output_underflow = (flags & paOutputUnderflow) != 0;
  static_cast<AudioCallback*>(callback)->audio(buffers);
  return paContinue;
}

}  // namespace vqas
