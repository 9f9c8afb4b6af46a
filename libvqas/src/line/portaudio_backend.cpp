#include <fmt/format.h>
#include <pa_jack.h>
#include <portaudio.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <thread>
#include <utility>

#include "line/audio_backend.h"
#include "line/jack_shutdown.h"
#include "line/portaudio_callback.h"
#include "line/portaudio_devices.h"

namespace vqas {
namespace {

constexpr std::array kUsualRates{8000, 16000, 32000, 44100, 48000, 96000};
// A working stream closes within its last period.
constexpr std::chrono::seconds kClosing{3};

// ALSA numbers cards in the order of discovery: "USB Audio: - (hw:1,0)" is the same device as "(hw:2,0)".
std::string stable_name(std::string name) {
  const std::size_t number = name.rfind(" (hw:");
  if (number != std::string::npos && name.ends_with(")")) name.resize(number);
  while (name.ends_with(" ") || name.ends_with(":") || name.ends_with("-")) name.pop_back();
  return name;
}

// A user of PortAudio under its own name, where the sound system has names.
class Session {
 public:
  explicit Session(std::string client) : client_(client.empty() ? "vqas" : std::move(client)) {
    PaJack_SetClientName(client_.c_str());  // stores the pointer
    user_.emplace();
  }
  ~Session() {
    user_.reset();
    PaJack_SetClientName("vqas");
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  PaError fault() const { return user_->fault(); }

 private:
  const std::string client_;
  std::optional<PortAudioUser> user_;
};

std::vector<AudioDevice> devices_there() {
  std::vector<AudioDevice> devices = portaudio_devices();
  for (AudioDevice& one : devices) one.name = stable_name(std::move(one.name));
  number_alike(devices);
  return devices;
}

Error portaudio_error(const std::string& what, PaError fault) {
  std::string text = Pa_GetErrorText(fault);
  if (fault == paUnanticipatedHostError) {
    const PaHostErrorInfo* const host = Pa_GetLastHostErrorInfo();
    if (host != nullptr && host->errorText != nullptr && *host->errorText != '\0') text = host->errorText;
  }
  return {ErrorCode::io, fmt::format("{}: {}; \"vqas devices\" lists the sound devices", what, text)};
}

// Must live until PortAudio has released it.
struct Opened {
  explicit Opened(const std::string& client) : session(client) {}
  ~Opened() {
    std::atomic<bool> closed = false;
    std::thread teller([&closed] { tell_jack_shutdown_until(closed); });
    for (PaStream* const stream : streams) {
      if (stream == nullptr) continue;
      Pa_AbortStream(stream);
      Pa_CloseStream(stream);
    }
    closed = true;
    teller.join();
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  std::shared_ptr<AudioCallback> callback;
  Session session;
  std::array<PaStream*, 2> streams{};
};

class PortAudioStream final : public AudioStream {
 public:
  PortAudioStream(std::unique_ptr<Opened> opened, bool one_clock) : opened_(std::move(opened)), one_clock_(one_clock) {}
  // Closing may wait forever for a sound server that died, so another thread closes.
  ~PortAudioStream() override {
    std::promise<void> closed;
    std::future<void> waits = closed.get_future();
    std::thread closer([opened = std::move(opened_), closed = std::move(closed)]() mutable {
      opened.reset();
      closed.set_value();
    });
    if (waits.wait_for(kClosing) == std::future_status::ready) {
      closer.join();
    } else {
      closer.detach();
    }
  }
  bool one_clock() const override { return one_clock_; }
  double latency_ms() const override {
    double sum_s = 0;
    for (PaStream* const stream : opened_->streams) {
      const PaStreamInfo* const info = stream != nullptr ? Pa_GetStreamInfo(stream) : nullptr;
      if (info != nullptr) sum_s += info->inputLatency + info->outputLatency;
    }
    return sum_s * 1e3;
  }

 private:
  std::unique_ptr<Opened> opened_;
  bool one_clock_;
};

class PortAudioBackend final : public AudioBackend {
 public:
  Result<std::vector<AudioDevice>> devices() override {
    const Session session({});
    if (session.fault() != paNoError) return portaudio_error("the sound system", session.fault());
    return devices_there();
  }

  Result<std::unique_ptr<AudioStream>> open(const AudioStreamRequest& request,
                                            std::shared_ptr<AudioCallback> callback) override {
    auto opened = std::make_unique<Opened>(request.client);
    if (opened->session.fault() != paNoError) return portaudio_error("the sound system", opened->session.fault());
    opened->callback = std::move(callback);
    PaStreamParameters in{}, out{};
    if (const Status found = parameters(request.input, request.input_channels, true, in); !found) return found.error();
    if (const Status found = parameters(request.output, request.output_channels, false, out); !found)
      return found.error();
    const bool together = request.input && request.output && in.device == out.device;
    const auto run = [&](PaStream*& stream, const PaStreamParameters* from, const PaStreamParameters* to) -> Status {
      const unsigned long period = request.period > 0 ? static_cast<unsigned long>(request.period)
                                                      : static_cast<unsigned long>(paFramesPerBufferUnspecified);
      const std::string& name = from != nullptr ? request.input->name : request.output->name;
      PaError fault = Pa_OpenStream(&stream, from, to, request.rate_hz, period, paNoFlag, portaudio_callback,
                                    opened->callback.get());
      if (fault != paNoError) {
        stream = nullptr;
      } else {
        fault = Pa_StartStream(stream);
      }
      if (fault == paNoError) return success();
      return portaudio_error(fmt::format("the sound device \"{}\" at {} Hz", name, request.rate_hz), fault);
    };
    if (together) {
      if (const Status runs = run(opened->streams[0], &in, &out); !runs) return runs.error();
    } else {
      if (request.input) {
        if (const Status runs = run(opened->streams[0], &in, nullptr); !runs) return runs.error();
      }
      if (request.output) {
        if (const Status runs = run(opened->streams[1], nullptr, &out); !runs) return runs.error();
      }
    }
    return std::unique_ptr<AudioStream>(std::make_unique<PortAudioStream>(std::move(opened), together));
  }

 private:
  // Looks the device up again by its name: its number may have changed since it was chosen.
  static Status parameters(const std::optional<AudioDevice>& wanted, int channels, bool input,
                           PaStreamParameters& parameters) {
    if (!wanted) return success();
    const auto device = choose_device(devices_there(), wanted->name, wanted->host, input);
    if (!device) return device.error();
    if ((input ? device->inputs : device->outputs) < channels) {
      return Error{ErrorCode::bad_input,
                   fmt::format("the sound device \"{}\" has {} {} channels, not {}", device->name,
                               input ? device->inputs : device->outputs, input ? "input" : "output", channels)};
    }
    const PaDeviceInfo& info = *Pa_GetDeviceInfo(device->number);
    parameters.device = device->number;
    parameters.channelCount = channels;
    parameters.sampleFormat = paFloat32;
    parameters.suggestedLatency = input ? info.defaultLowInputLatency : info.defaultLowOutputLatency;
    return success();
  }
};

}  // namespace

std::unique_ptr<AudioBackend> portaudio_backend() {
  return std::make_unique<PortAudioBackend>();
}

Result<std::vector<AudioDevice>> audio_devices(bool rates) {
  const Session session({});
  if (session.fault() != paNoError) return portaudio_error("the sound system", session.fault());
  std::vector<AudioDevice> devices = devices_there();
  if (!rates) return devices;
  for (AudioDevice& device : devices) {
    for (const int rate : kUsualRates) {
      const PaStreamParameters in{device.number, 1, paFloat32, device.input_latency_s, nullptr};
      const PaStreamParameters out{device.number, 1, paFloat32, device.output_latency_s, nullptr};
      const PaError fault = Pa_IsFormatSupported(device.inputs > 0 ? &in : nullptr, device.outputs > 0 ? &out : nullptr,
                                                 static_cast<double>(rate));
      if (fault == paFormatIsSupported) device.rates_hz.push_back(rate);
    }
  }
  return devices;
}

}  // namespace vqas
