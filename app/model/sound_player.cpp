#include "model/sound_player.h"

#include <portaudio.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "vqas/line/audio_devices.h"
#include "vqas/signal/resample.h"

namespace vqas::app {
namespace {

class PortAudioPlayer : public SoundPlayer {
 public:
  ~PortAudioPlayer() override {
    stop();
    if (initialised_) Pa_Terminate();
  }

  Status play(const Signal& signal) override {
    stop();
    if (!initialised_) {
      silence_sound_libraries();
      if (const PaError code = Pa_Initialize(); code != paNoError) return fault(code);
      initialised_ = true;
    }
    const PaDeviceIndex device = Pa_GetDefaultOutputDevice();
    if (device == paNoDevice)
      return Error{ErrorCode::io, "this machine has no sound output; connect headphones or a loudspeaker"};
    const PaDeviceInfo& info = *Pa_GetDeviceInfo(device);
    auto at_rate = resample(signal, static_cast<int>(info.defaultSampleRate));
    if (!at_rate) return at_rate.error();
    samples_ = std::move(at_rate->samples);
    next_ = 0;
    const PaStreamParameters output{device, 1, paFloat32, info.defaultHighOutputLatency, nullptr};
    PaError code = Pa_OpenStream(&stream_, nullptr, &output, info.defaultSampleRate, paFramesPerBufferUnspecified,
                                 paNoFlag, &PortAudioPlayer::fill, this);
    if (code == paNoError) code = Pa_StartStream(stream_);
    if (code == paNoError) return success();
    stop();
    return fault(code);
  }

  void stop() override {
    if (stream_ == nullptr) return;
    Pa_CloseStream(stream_);
    stream_ = nullptr;
  }

 private:
  static Error fault(PaError code) {
    return {ErrorCode::io, std::string("the sound output cannot be used: ") + Pa_GetErrorText(code)};
  }

  // Called by PortAudio's thread; samples_ does not change while the stream is open.
  static int fill(const void*, void* output, unsigned long frames, const PaStreamCallbackTimeInfo*,
                  PaStreamCallbackFlags, void* player) {
    auto& self = *static_cast<PortAudioPlayer*>(player);
    auto* const out = static_cast<float*>(output);
    const std::size_t begin = self.next_.load(std::memory_order_relaxed);
    const std::size_t count = std::min<std::size_t>(frames, self.samples_.size() - begin);
    std::copy_n(self.samples_.begin() + static_cast<std::ptrdiff_t>(begin), count, out);
    std::fill(out + count, out + frames, 0.0F);
    self.next_.store(begin + count, std::memory_order_relaxed);
    return begin + count < self.samples_.size() ? paContinue : paComplete;
  }

  bool initialised_ = false;
  PaStream* stream_ = nullptr;
  std::vector<float> samples_;
  std::atomic<std::size_t> next_ = 0;
};

}  // namespace

std::unique_ptr<SoundPlayer> default_player() {
  return std::make_unique<PortAudioPlayer>();
}

}  // namespace vqas::app
