#include "vqas/relay/audio_relay.h"

#include <fmt/format.h>
#include <portaudio.h>

#include <algorithm>
#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <charconv>
#include <chrono>
#include <cmath>
#include <mutex>
#include <thread>

#include "relay/audio_path.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr std::chrono::milliseconds kWorkEvery{2};
// The resampler gives its samples in blocks so far apart (measured: 0.12 s at 48 kHz).
constexpr double kResampling_s = 0.15;
constexpr double kRoom_s = 12;  // of each ring: the longest delay and the longest buffer
using Ring = boost::lockfree::spsc_queue<float>;

Error portaudio_error(const std::string& what, PaError fault) {
  return {ErrorCode::io, fmt::format("{}: {}", what, Pa_GetErrorText(fault))};
}

// PortAudio counts its users: each Pa_Initialize() wants its Pa_Terminate().
class PortAudio {
 public:
  PortAudio() : fault_(Pa_Initialize()) {}
  ~PortAudio() {
    if (fault_ == paNoError) Pa_Terminate();
  }
  PortAudio(const PortAudio&) = delete;
  PortAudio& operator=(const PortAudio&) = delete;
  PaError fault() const { return fault_; }

 private:
  PaError fault_;
};

std::vector<SoundDevice> devices_there() {
  std::vector<SoundDevice> devices;
  for (int i = 0; i < Pa_GetDeviceCount(); ++i) {
    const PaDeviceInfo& info = *Pa_GetDeviceInfo(i);
    devices.push_back({i, fmt::format("{}: {}", Pa_GetHostApiInfo(info.hostApi)->name, info.name),
                       info.maxInputChannels, info.maxOutputChannels, info.defaultSampleRate});
  }
  return devices;
}

Result<SoundDevice> find_device(const std::string& wanted, bool input) {
  const auto devices = devices_there();
  const int fallback = input ? Pa_GetDefaultInputDevice() : Pa_GetDefaultOutputDevice();
  std::string there;
  for (const SoundDevice& device : devices) {
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

}  // namespace

Result<std::vector<SoundDevice>> sound_devices() {
  const PortAudio portaudio;
  if (portaudio.fault() != paNoError) return portaudio_error("the sound system", portaudio.fault());
  return devices_there();
}

struct AudioRelay::Engine {
  PortAudio portaudio;
  SoundDevice in, out;
  double rate_hz;
  std::size_t held = 0;  // samples put in front of the output
  Ring heard;
  Ring ready;
  std::atomic<std::uint64_t> samples_heard{0}, samples_played{0}, overflows{0}, underflows{0}, slips{0}, flags{0};
  PaStream* input = nullptr;
  PaStream* output = nullptr;
  std::mutex mutex;  // of the path, between worker and whoever changes or asks
  std::unique_ptr<AudioPath> path;
  std::atomic<bool> ending{false};
  std::thread worker;

  explicit Engine(double rate)
      : rate_hz(rate),
        heard(static_cast<std::size_t>(kRoom_s * rate)),
        ready(static_cast<std::size_t>(kRoom_s * rate)) {}
  ~Engine() {
    for (PaStream* stream : {input, output}) {
      if (stream != nullptr) Pa_CloseStream(stream);
    }
    ending = true;
    if (worker.joinable()) worker.join();
  }

  static int on_input(const void* samples, void*, unsigned long frames, const PaStreamCallbackTimeInfo*,
                      PaStreamCallbackFlags flags, void* self) {
    auto& engine = *static_cast<Engine*>(self);
    if ((flags & paInputOverflow) != 0) engine.flags.fetch_add(1, std::memory_order_relaxed);
    const std::size_t taken = engine.heard.push(static_cast<const float*>(samples), frames);
    engine.samples_heard.fetch_add(frames, std::memory_order_relaxed);
    engine.overflows.fetch_add(frames - taken, std::memory_order_relaxed);
    return paContinue;
  }

  static int on_output(const void*, void* samples, unsigned long frames, const PaStreamCallbackTimeInfo*,
                       PaStreamCallbackFlags flags, void* self) {
    auto& engine = *static_cast<Engine*>(self);
    if ((flags & paOutputUnderflow) != 0) engine.flags.fetch_add(1, std::memory_order_relaxed);
    auto* const to = static_cast<float*>(samples);
    const std::size_t given = engine.ready.pop(to, frames);
    std::fill(to + given, to + frames, 0.0F);
    engine.samples_played.fetch_add(frames, std::memory_order_relaxed);
    engine.underflows.fetch_add(frames - given, std::memory_order_relaxed);
    return paContinue;
  }

  Status open(const AudioRelayOptions& options) {
    const PaDeviceInfo& in_info = *Pa_GetDeviceInfo(in.number);
    const PaDeviceInfo& out_info = *Pa_GetDeviceInfo(out.number);
    const PaStreamParameters from{in.number, 1, paFloat32, in_info.defaultLowInputLatency, nullptr};
    const PaStreamParameters to{out.number, 1, paFloat32, out_info.defaultLowOutputLatency, nullptr};
    if (PaError fault =
            Pa_OpenStream(&input, &from, nullptr, rate_hz, paFramesPerBufferUnspecified, paNoFlag, on_input, this);
        fault != paNoError) {
      return portaudio_error(fmt::format("--in: {} at {} Hz", in.name, rate_hz), fault);
    }
    if (PaError fault =
            Pa_OpenStream(&output, nullptr, &to, rate_hz, paFramesPerBufferUnspecified, paNoFlag, on_output, this);
        fault != paNoError) {
      return portaudio_error(fmt::format("--out: {} at {} Hz", out.name, rate_hz), fault);
    }
    const double resampling_s = rate_hz == kLineRateHz ? 0 : kResampling_s;
    held =
        static_cast<std::size_t>(((options.buffer_ms + options.conditions.delay_ms) * 1e-3 + resampling_s) * rate_hz);
    const std::vector<float> silence(held, 0.0F);
    ready.push(silence.data(), silence.size());
    worker = std::thread([this] { work(); });
    for (PaStream* stream : {output, input}) {
      if (PaError fault = Pa_StartStream(stream); fault != paNoError) return portaudio_error("the sound device", fault);
    }
    return success();
  }

  void work() {
    std::vector<float> taken(static_cast<std::size_t>(rate_hz));
    while (!ending) {
      const std::size_t count = heard.pop(taken.data(), taken.size());
      if (count > 0) {
        const std::lock_guard lock(mutex);
        auto out_samples = path->process(std::span(taken).first(count));
        // An output whose clock is slower would fall behind more and more.
        const std::size_t waiting = ready.read_available();
        const std::size_t most = 2 * held + static_cast<std::size_t>(0.1 * rate_hz);
        const std::size_t too_many =
            waiting + out_samples.size() > most ? std::min(out_samples.size(), waiting + out_samples.size() - most) : 0;
        slips.fetch_add(too_many, std::memory_order_relaxed);
        out_samples = out_samples.subspan(too_many);
        ready.push(out_samples.data(), out_samples.size());
      }
      std::this_thread::sleep_for(kWorkEvery);
    }
  }
};

AudioRelay::AudioRelay(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
AudioRelay::~AudioRelay() = default;

Result<std::unique_ptr<AudioRelay>> AudioRelay::start(const AudioRelayOptions& options) {
  if (const Status valid = validate(options.conditions); !valid) return valid.error();
  if (!(options.buffer_ms >= 5 && options.buffer_ms <= 1000)) {
    return Error{ErrorCode::bad_input, fmt::format("--buffer-ms {}: give 5 to 1000", options.buffer_ms)};
  }
  if (options.rate_hz != 0 && !(options.rate_hz >= 8000 && options.rate_hz <= 192000)) {
    return Error{ErrorCode::bad_input, fmt::format("--rate-hz {}: give 8000 to 192000", options.rate_hz)};
  }
  const PortAudio portaudio;
  if (portaudio.fault() != paNoError) return portaudio_error("the sound system", portaudio.fault());
  const auto in = find_device(options.in, true);
  if (!in) return in.error();
  const auto out = find_device(options.out, false);
  if (!out) return out.error();
  auto engine = std::make_unique<Engine>(options.rate_hz != 0 ? options.rate_hz : in->rate_hz);
  engine->in = *in;
  engine->out = *out;
  engine->path = std::make_unique<AudioPath>(engine->rate_hz, options.law, options.conditions.profile, options.seed, 0);
  if (const Status opened = engine->open(options); !opened) return opened.error();
  return std::unique_ptr<AudioRelay>(new AudioRelay(std::move(engine)));
}

AudioRelayCounters AudioRelay::counters() const {
  AudioRelayCounters counters;
  counters.heard = engine_->samples_heard;
  counters.played = engine_->samples_played;
  counters.overflows = engine_->overflows;
  counters.underflows = engine_->underflows;
  counters.slips = engine_->slips;
  counters.device_flags = engine_->flags;
  const std::lock_guard lock(engine_->mutex);
  counters.errors = engine_->path->channel().counters();
  return counters;
}

Status AudioRelay::change(const RelayConditions& conditions) {
  if (const Status valid = validate(conditions); !valid) return valid;
  const std::lock_guard lock(engine_->mutex);
  engine_->path->channel().change(conditions.profile);
  return success();
}

void AudioRelay::inject(std::uint32_t bits) {
  const std::lock_guard lock(engine_->mutex);
  engine_->path->channel().inject(bits);
}

const std::string& AudioRelay::input() const {
  return engine_->in.name;
}
const std::string& AudioRelay::output() const {
  return engine_->out.name;
}
double AudioRelay::rate_hz() const {
  return engine_->rate_hz;
}

}  // namespace vqas
