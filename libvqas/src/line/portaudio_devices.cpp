#include "line/portaudio_devices.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

namespace vqas {
namespace {

struct HostToken {
  PaHostApiTypeId type;
  const char* token;
};
constexpr std::array kHosts{
    HostToken{paALSA, "alsa"},
    HostToken{paJACK, "jack"},
    HostToken{paOSS, "oss"},
    HostToken{paCoreAudio, "coreaudio"},
    HostToken{paWASAPI, "wasapi"},
    HostToken{paWDMKS, "wdmks"},
    HostToken{paDirectSound, "directsound"},
    HostToken{paMME, "mme"},
    HostToken{paASIO, "asio"},
};

void say_nothing(const char*, int, const char*, int, const char*, ...) {}

std::string host_token(PaHostApiTypeId type) {
  for (const HostToken& one : kHosts) {
    if (one.type == type) return one.token;
  }
  return fmt::format("host{}", static_cast<int>(type));
}

}  // namespace

// Both are found at run time because PortAudio may have been built without either.
void silence_sound_libraries() {
  using Handler = void (*)(const char*, int, const char*, int, const char*, ...);
  using AlsaSetter = int (*)(Handler);
  using JackSetter = void (*)(void (*)(const char*));
  if (const auto alsa = reinterpret_cast<AlsaSetter>(::dlsym(RTLD_DEFAULT, "snd_lib_error_set_handler"))) {
    alsa(say_nothing);
  }
  for (const char* const name : {"jack_set_error_function", "jack_set_info_function"}) {
    if (const auto jack = reinterpret_cast<JackSetter>(::dlsym(RTLD_DEFAULT, name))) jack([](const char*) {});
  }
}

PortAudioUser::PortAudioUser() {
  silence_sound_libraries();
  fault_ = Pa_Initialize();
}

PortAudioUser::~PortAudioUser() {
  if (fault_ == paNoError) Pa_Terminate();
}

std::vector<AudioDevice> portaudio_devices() {
  std::vector<AudioDevice> devices;
  for (int i = 0; i < Pa_GetDeviceCount(); ++i) {
    const PaDeviceInfo& info = *Pa_GetDeviceInfo(i);
    const PaHostApiInfo& host = *Pa_GetHostApiInfo(info.hostApi);
    AudioDevice device;
    device.number = i;
    device.host = host_token(host.type);
    device.host_name = host.name;
    device.name = info.name;
    device.inputs = info.maxInputChannels;
    device.outputs = info.maxOutputChannels;
    device.rate_hz = info.defaultSampleRate;
    device.input_latency_s = info.maxInputChannels > 0 ? info.defaultLowInputLatency : 0;
    device.output_latency_s = info.maxOutputChannels > 0 ? info.defaultLowOutputLatency : 0;
    device.default_input = i == host.defaultInputDevice;
    device.default_output = i == host.defaultOutputDevice;
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace vqas
