#include "vqas/relay/audio_relay.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <chrono>
#include <cmath>
#include <mutex>
#include <thread>

#include "relay/audio_path.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr std::chrono::milliseconds kWorkEvery{2};
// The resampler returns its samples in blocks of this length (measured: 0.12 s at 48 kHz).
constexpr double kResampling_s = 0.15;
constexpr double kRoom_s = 12;  // of each ring: for the longest delay and the longest buffer
constexpr double kSpare_s = 0.1;
using Ring = boost::lockfree::spsc_queue<float>;

// Besides what the channel holds back.
double added_delay_ms(const RelayConditions& conditions) {
  return conditions.delay_ms - held_back_ms(conditions.profile);
}

}  // namespace

struct AudioRelay::Engine : SoundUser {
  const AudioRelayOptions options;
  const double rate_hz;
  Ring heard_samples;
  Ring ready;
  std::atomic<std::uint64_t> samples_heard{0}, samples_played{0}, overflows{0}, underflows{0}, clock_slips{0}, flags{0};

  mutable std::mutex mutex;  // guards the following members, between the worker and callers
  AudioPath path;
  std::size_t held;            // samples in front of the output
  std::size_t to_leave_out{};  // because the delay was shortened
  std::vector<float> silence;

  std::atomic<bool> ending{false};
  std::thread worker;
  std::unique_ptr<SoundPort> port;

  Engine(const AudioRelayOptions& given, std::unique_ptr<SoundPort> sound)
      : options(given),
        rate_hz(sound->rate_hz()),
        heard_samples(static_cast<std::size_t>(kRoom_s * rate_hz)),
        ready(static_cast<std::size_t>(kRoom_s * rate_hz)),
        path(rate_hz, in_effect(given.conditions).profile, given.seed, 0),
        held(samples_held(added_delay_ms(in_effect(given.conditions)))),
        port(std::move(sound)) {
    give_silence(held);
  }
  ~Engine() override {
    port.reset();
    ending = true;
    if (worker.joinable()) worker.join();
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  std::size_t samples_held(double delay_ms) const {
    const double resampling_s = rate_hz == kLineRateHz ? 0 : kResampling_s;
    return static_cast<std::size_t>(std::llround(((options.buffer_ms + delay_ms) * 1e-3 + resampling_s) * rate_hz));
  }

  void heard(std::span<const float> samples, bool device_lost) override {
    if (device_lost) flags.fetch_add(1, std::memory_order_relaxed);
    const std::size_t taken = heard_samples.push(samples.data(), samples.size());
    samples_heard.fetch_add(samples.size(), std::memory_order_relaxed);
    overflows.fetch_add(samples.size() - taken, std::memory_order_relaxed);
  }

  void wanted(std::span<float> samples, bool device_lost) override {
    if (device_lost) flags.fetch_add(1, std::memory_order_relaxed);
    const std::size_t given = ready.pop(samples.data(), samples.size());
    std::fill(samples.begin() + static_cast<std::ptrdiff_t>(given), samples.end(), 0.0F);
    samples_played.fetch_add(samples.size(), std::memory_order_relaxed);
    underflows.fetch_add(samples.size() - given, std::memory_order_relaxed);
  }

  Status start() {
    worker = std::thread([this] { work(); });
    return port->start(*this);
  }

  void work() {
    std::vector<float> taken(static_cast<std::size_t>(rate_hz));
    while (!ending) {
      const std::size_t count = heard_samples.pop(taken.data(), taken.size());
      if (count > 0) {
        const std::lock_guard lock(mutex);
        give(path.process(std::span(taken).first(count)));
      }
      std::this_thread::sleep_for(kWorkEvery);
    }
  }

  void give(std::span<const float> samples) {
    const std::size_t shorter = std::min(to_leave_out, samples.size());
    to_leave_out -= shorter;
    samples = samples.subspan(shorter);
    // Otherwise an output with a slower clock would fall behind more and more.
    const std::size_t waiting = ready.read_available();
    const std::size_t most = 2 * held + static_cast<std::size_t>(kSpare_s * rate_hz);
    const std::size_t too_many =
        waiting + samples.size() > most ? std::min(samples.size(), waiting + samples.size() - most) : 0;
    samples = samples.subspan(too_many);
    const std::size_t given = ready.push(samples.data(), samples.size());
    clock_slips.fetch_add(too_many + samples.size() - given, std::memory_order_relaxed);
  }

  void give_silence(std::size_t samples) {
    silence.assign(samples, 0.0F);
    ready.push(silence.data(), silence.size());
  }

  // Only the writer of `ready` may call it: the worker, or the holder of the mutex, which the worker takes to write.
  void set_delay(double delay_ms) {
    const std::size_t wanted_held = samples_held(delay_ms);
    if (wanted_held > held) {
      const std::size_t longer = wanted_held - held;
      const std::size_t spared = std::min(to_leave_out, longer);
      to_leave_out -= spared;
      give_silence(longer - spared);
    } else {
      to_leave_out += held - wanted_held;
    }
    held = wanted_held;
  }
};

AudioRelay::AudioRelay(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
AudioRelay::~AudioRelay() = default;

Result<std::unique_ptr<AudioRelay>> AudioRelay::start(const AudioRelayOptions& options,
                                                      std::unique_ptr<SoundPort> port) {
  if (const Status valid = validate(options.conditions); !valid) return valid.error();
  if (!(options.buffer_ms >= 5 && options.buffer_ms <= 1000)) {
    return Error{ErrorCode::bad_input, fmt::format("--buffer-ms {}: give 5 to 1000", options.buffer_ms)};
  }
  auto engine = std::make_unique<Engine>(options, std::move(port));
  if (const Status started = engine->start(); !started) return started.error();
  return std::unique_ptr<AudioRelay>(new AudioRelay(std::move(engine)));
}

AudioRelayCounters AudioRelay::counters() const {
  AudioRelayCounters counters;
  counters.heard = engine_->samples_heard;
  counters.played = engine_->samples_played;
  counters.overflows = engine_->overflows;
  counters.underflows = engine_->underflows;
  counters.clock_slips = engine_->clock_slips;
  counters.device_flags = engine_->flags;
  const std::lock_guard lock(engine_->mutex);
  counters.errors = engine_->path.channel().counters();
  counters.events = engine_->path.channel().events();
  return counters;
}

Status AudioRelay::change(const RelayConditions& conditions) {
  if (Status valid = validate(conditions); !valid) return valid;
  // No one else makes changes, so the place stays valid. Preparing allocates and may take long.
  LiveChannel::Place place;
  {
    const std::lock_guard lock(engine_->mutex);
    place = engine_->path.channel().next();
  }
  const RelayConditions done = in_effect(conditions);
  OctetChannel channel = LiveChannel::made(done.profile, place);
  const std::lock_guard lock(engine_->mutex);
  channel = engine_->path.change(std::move(channel), done.profile.line.law);
  engine_->set_delay(added_delay_ms(done));
  return success();
}

void AudioRelay::inject(std::uint32_t bits) {
  const std::lock_guard lock(engine_->mutex);
  engine_->path.channel().inject(bits);
}

const SoundPort& AudioRelay::port() const {
  return *engine_->port;
}
const AudioRelayOptions& AudioRelay::options() const {
  return engine_->options;
}

}  // namespace vqas
