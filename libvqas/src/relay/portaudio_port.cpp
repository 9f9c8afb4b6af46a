#include <fmt/format.h>
#include <portaudio.h>

#include "line/portaudio_devices.h"
#include "vqas/relay/sound_port.h"

namespace vqas {
namespace {

Error portaudio_error(const std::string& what, PaError fault) {
  return {ErrorCode::io, fmt::format("{}: {}", what, Pa_GetErrorText(fault))};
}

std::vector<AudioDevice> devices_there() {
  std::vector<AudioDevice> devices = portaudio_devices();
  for (AudioDevice& one : devices) one.name = fmt::format("{}: {}", one.host_name, one.name);
  return devices;
}

Result<AudioDevice> find_device(const std::string& wanted, bool input) {
  const auto devices = devices_there();
  const int fallback = input ? Pa_GetDefaultInputDevice() : Pa_GetDefaultOutputDevice();
  std::string there;
  for (const AudioDevice& device : devices) {
    if ((input ? device.inputs : device.outputs) == 0) continue;
    const bool chosen = wanted.empty()
                            ? device.number == fallback
                            : wanted == std::to_string(device.number) || device.name.find(wanted) != std::string::npos;
    if (chosen) return device;
    there += fmt::format("\n  {} {}", device.number, device.name);
  }
  return Error{ErrorCode::bad_input,
               fmt::format("{} \"{}\": there is no such sound device; give the number or a part of the name of one of "
                           "these:{}",
                           input ? "--in" : "--out", wanted, there.empty() ? " (none)" : there)};
}

class PortAudioPort : public SoundPort {
 public:
  PortAudioPort(AudioDevice in, AudioDevice out, double rate_hz)
      : in_(std::move(in)), out_(std::move(out)), rate_hz_(rate_hz) {}
  ~PortAudioPort() override {
    for (PaStream* stream : {input_, output_}) {
      if (stream != nullptr) Pa_CloseStream(stream);
    }
  }
  PortAudioPort(const PortAudioPort&) = delete;
  PortAudioPort& operator=(const PortAudioPort&) = delete;

  const std::string& input() const override { return in_.name; }
  const std::string& output() const override { return out_.name; }
  double rate_hz() const override { return rate_hz_; }

  Status open() {
    const PaDeviceInfo& in_info = *Pa_GetDeviceInfo(in_.number);
    const PaDeviceInfo& out_info = *Pa_GetDeviceInfo(out_.number);
    const PaStreamParameters from{in_.number, 1, paFloat32, in_info.defaultLowInputLatency, nullptr};
    const PaStreamParameters to{out_.number, 1, paFloat32, out_info.defaultLowOutputLatency, nullptr};
    if (PaError fault =
            Pa_OpenStream(&input_, &from, nullptr, rate_hz_, paFramesPerBufferUnspecified, paNoFlag, on_input, this);
        fault != paNoError) {
      return portaudio_error(fmt::format("--in: {} at {} Hz", in_.name, rate_hz_), fault);
    }
    if (PaError fault =
            Pa_OpenStream(&output_, nullptr, &to, rate_hz_, paFramesPerBufferUnspecified, paNoFlag, on_output, this);
        fault != paNoError) {
      return portaudio_error(fmt::format("--out: {} at {} Hz", out_.name, rate_hz_), fault);
    }
    return success();
  }

  Status start(SoundUser& user) override {
    user_ = &user;
    for (PaStream* stream : {output_, input_}) {
      if (PaError fault = Pa_StartStream(stream); fault != paNoError) return portaudio_error("the sound device", fault);
    }
    return success();
  }

 private:
  static int on_input(const void* samples, void*, unsigned long frames, const PaStreamCallbackTimeInfo*,
                      PaStreamCallbackFlags flags, void* self) {
    static_cast<PortAudioPort*>(self)->user_->heard({static_cast<const float*>(samples), frames},
                                                    (flags & paInputOverflow) != 0);
    return paContinue;
  }
  static int on_output(const void*, void* samples, unsigned long frames, const PaStreamCallbackTimeInfo*,
                       PaStreamCallbackFlags flags, void* self) {
    static_cast<PortAudioPort*>(self)->user_->wanted({static_cast<float*>(samples), frames},
                                                     (flags & paOutputUnderflow) != 0);
    return paContinue;
  }

  PortAudioUser portaudio_;
  AudioDevice in_, out_;
  double rate_hz_;
  SoundUser* user_ = nullptr;
  PaStream* input_ = nullptr;
  PaStream* output_ = nullptr;
};

}  // namespace

Result<std::vector<AudioDevice>> sound_devices() {
  const PortAudioUser portaudio;
  if (portaudio.fault() != paNoError) return portaudio_error("the sound system", portaudio.fault());
  return devices_there();
}

Result<std::unique_ptr<SoundPort>> open_sound_devices(const std::string& in, const std::string& out, double rate_hz) {
  if (rate_hz != 0 && !(rate_hz >= 8000 && rate_hz <= 192000)) {
    return Error{ErrorCode::bad_input, fmt::format("--rate-hz {}: give 8000 to 192000", rate_hz)};
  }
  const PortAudioUser portaudio;
  if (portaudio.fault() != paNoError) return portaudio_error("the sound system", portaudio.fault());
  const auto input = find_device(in, true);
  if (!input) return input.error();
  const auto output = find_device(out, false);
  if (!output) return output.error();
  auto port = std::make_unique<PortAudioPort>(*input, *output, rate_hz != 0 ? rate_hz : input->rate_hz);
  if (const Status opened = port->open(); !opened) return opened.error();
  return std::unique_ptr<SoundPort>(std::move(port));
}

}  // namespace vqas
