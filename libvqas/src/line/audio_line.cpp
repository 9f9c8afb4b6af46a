#include "line/audio_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <thread>
#include <utility>

#include "line/line_name.h"
#include "line/machine_clock.h"
#include "vqas/signal/signal.h"

namespace vqas {
namespace {

constexpr double kRoom_s = 4;  // of each ring
constexpr std::chrono::milliseconds kLook{2};
// By how much even the earliest callback of the last half second may be late: the assumed error of the line's times.
constexpr std::int64_t kClockUncertainty_ns = 500'000;

}  // namespace

Result<AudioLineOptions> parse_audio_line(const std::string& name) {
  const auto parsed = LineName::parse(
      name, {"out", "host", "rate", "period", "in_channel", "out_channel", "buffer_ms", "client", "monitor", "hd"});
  if (!parsed) return parsed.error();
  AudioLineOptions options;
  options.name = name;
  const auto line_hz = line_rate_of(*parsed);
  if (!line_hz) return line_hz.error();
  options.line_hz = *line_hz;
  options.input = parsed->body();
  options.output = parsed->text("out", parsed->body());
  options.host = parsed->text("host");
  options.client = parsed->text("client");
  options.monitor = parsed->text("monitor");
  struct Number {
    const char* key;
    int least, most;
    int* value;
  };
  constexpr int kMostChannels = 64;
  const std::array numbers{Number{"rate", 8000, 192000, &options.rate_hz}, Number{"period", 16, 8192, &options.period},
                           Number{"in_channel", 1, kMostChannels, &options.input_channel},
                           Number{"out_channel", 1, kMostChannels, &options.output_channel},
                           Number{"buffer_ms", 5, 2000, &options.buffer_ms}};
  for (const Number& one : numbers) {
    const auto value = parsed->number(one.key, one.least, one.most, *one.value);
    if (!value) return value.error();
    *one.value = *value;
  }
  return options;
}

/// A second device that plays the received signal for people; its losses do not matter.
struct AudioLine::Monitor {
  std::shared_ptr<AudioPort> port;
  std::unique_ptr<AudioStream> stream;
  StreamResampler up;

  Monitor(int line_hz, int rate_hz, std::shared_ptr<AudioPort> to) : port(std::move(to)), up(line_hz, rate_hz) {}
  void play(std::span<const float> block) {
    const auto samples = up.process(block);
    port->to_play.push(samples.data(), samples.size());
  }
};

AudioLine::AudioLine(AudioLineOptions options, int rate_hz)
    : options_(std::move(options)),
      rate_hz_(rate_hz),
      block_(line_block(options_.line_hz)),
      down_(rate_hz, options_.line_hz),
      up_(options_.line_hz, rate_hz),
      heard_clock_(rate_hz),
      played_clock_(rate_hz),
      spoilt_(rate_hz) {}

AudioLine::~AudioLine() = default;

Result<std::unique_ptr<Line>> AudioLine::open(const AudioLineOptions& options, std::unique_ptr<AudioBackend> backend) {
  const auto devices = backend->devices();
  if (!devices) return devices.error();
  const auto input = choose_device(*devices, options.input, options.host, true);
  if (!input) return input.error();
  const auto output = choose_device(*devices, options.output, options.host, false);
  if (!output) return output.error();
  const int rate = options.rate_hz > 0 ? options.rate_hz : static_cast<int>(std::lround(input->rate_hz));
  if (rate < options.line_hz) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: hd=yes needs a device at 16000 Hz or more, and this one has {} Hz; give another rate",
                             options.name, rate)};
  }
  std::unique_ptr<AudioLine> line(new AudioLine(options, rate));
  AudioStreamRequest request{*input, *output,        options.input_channel, options.output_channel,
                             rate,   options.period, options.client};
  line->description_.name = options.name;
  line->description_.real_device = true;
  line->description_.rate_hz = options.line_hz;
  line->description_.clock = machine_clock_name();
  line->description_.clock_uncertainty_ns = kClockUncertainty_ns;
  line->description_.equipment =
      fmt::format("{} {} channel {}, {} {} channel {}, {} Hz{}", input->host, input->name, options.input_channel,
                  output->host, output->name, options.output_channel, rate,
                  options.period > 0 ? fmt::format(", period {}", options.period) : "") +
      hd_in_words(options.line_hz);
  if (const Status started = line->start(*backend, request); !started) return started.error();
  if (!options.monitor.empty()) {
    const auto device = choose_device(*devices, options.monitor, {}, false);
    if (!device) return device.error();
    const int own = static_cast<int>(std::lround(device->rate_hz));
    auto port = std::make_shared<AudioPort>(AudioPort::Channels{}, static_cast<std::size_t>(own));
    line->monitor_ = std::make_unique<Monitor>(options.line_hz, own, port);
    auto stream = backend->open({std::nullopt, *device, 1, 1, own, 0, options.client}, port);
    if (!stream) return stream.error();
    line->monitor_->stream = std::move(stream).value();
  }
  return std::unique_ptr<Line>(std::move(line));
}

Status AudioLine::start(AudioBackend& backend, const AudioStreamRequest& request) {
  const AudioPort::Channels channels{request.input_channels, request.input_channels, request.output_channels,
                                     request.output_channels};
  // The lead over the device is larger than its largest read from the ring.
  const int buffer_ms = options_.buffer_ms > 0 ? options_.buffer_ms : rate_hz_ == kLineRateHz ? 100 : 300;
  held_ = static_cast<std::size_t>(buffer_ms) * static_cast<std::size_t>(rate_hz_) / 1000 +
          2 * static_cast<std::size_t>(std::max(request.period, 0));
  port_ = std::make_shared<AudioPort>(channels, static_cast<std::size_t>(kRoom_s * rate_hz_), held_);
  const std::vector<float> silence(held_, 0.0F);
  port_->to_play.push(silence.data(), silence.size());
  auto stream = backend.open(request, port_);
  if (!stream) return stream.error();
  stream_ = std::move(stream).value();
  description_.device_latency_ms = stream_->latency_ms();
  return success();
}

double AudioLine::heard_frame() const {
  return static_cast<double>(index_ * kLineBlock) * rate_hz_ / kLineRateHz +
         static_cast<double>(port_->counters.dropped.load(std::memory_order_relaxed));
}

void AudioLine::take_heard() {
  raw_.resize(port_->heard.read_available());
  raw_.resize(port_->heard.pop(raw_.data(), raw_.size()));
  spoilt_.add(raw_);
  const auto at_line_rate = down_.process(raw_);
  ready_.insert(ready_.end(), at_line_rate.begin(), at_line_rate.end());
}

void AudioLine::take_times() {
  const bool one_clock = stream_->one_clock();
  port_->heard_times.consume_all([this](const CallbackTime& one) { heard_clock_.add(one.frame, one.now_ns); });
  port_->played_times.consume_all([this, one_clock](const CallbackTime& one) {
    if (!one_clock) played_clock_.add(one.frame, one.now_ns);
  });
}

Status AudioLine::wait_for_block() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point silent_since = Clock::now();
  std::uint64_t callbacks = port_->counters.callbacks.load(std::memory_order_acquire);
  for (;;) {
    if (interrupted_.exchange(false)) return Error{ErrorCode::cancelled, options_.name + ": interrupted"};
    take_heard();
    if (ready_.size() >= block_) return success();
    const std::uint64_t now = port_->counters.callbacks.load(std::memory_order_acquire);
    if (now != callbacks) {
      callbacks = now;
      silent_since = Clock::now();
    } else if (Clock::now() - silent_since > options_.patience) {
      lost_ = true;
      return Error{
          ErrorCode::line_lost,
          fmt::format("{}: the sound device stopped: it was unplugged, or its sound server ended; connect it again",
                      options_.name)};
    }
    std::this_thread::sleep_for(kLook);
  }
}

// While nothing is being sent the output's lead is corrected by lengthening or shortening the silence.
void AudioLine::play(std::span<const float> sent, bool busy) {
  const auto samples = up_.process(sent);
  const std::size_t lead = port_->to_play.read_available();
  const std::size_t block = kLineBlock * static_cast<std::size_t>(rate_hz_) / kLineRateHz;
  if (!busy && lead > held_ + 2 * block && samples.size() <= lead) {
    shift_ -= static_cast<std::int64_t>(samples.size());
    return;
  }
  if (!busy && lead + samples.size() < held_ / 4) {
    const std::vector<float> silence(held_ / 2, 0.0F);
    shift_ += static_cast<std::int64_t>(port_->to_play.push(silence.data(), silence.size()));
  }
  // What finds no room is lost, and everything after it leaves earlier by as much.
  unsent_ = samples.size() - port_->to_play.push(samples.data(), samples.size());
  shift_ -= static_cast<std::int64_t>(unsent_);
}

LineStatistics AudioLine::notice() {
  LineStatistics noticed;
  const AudioCounters& counters = port_->counters;
  const auto since = [](const auto& counter, auto& before) {
    const auto now = counter.load(std::memory_order_relaxed);
    const auto more = now - before;
    before = now;
    return more;
  };
  noticed.input_overflows = since(counters.input_overflows, input_overflows_);
  noticed.input_underflows = since(counters.input_underflows, input_underflows_);
  noticed.output_overflows = since(counters.output_overflows, output_overflows_);
  noticed.output_underflows = since(counters.output_underflows, output_underflows_);
  const auto at_8k = [this](std::uint64_t frames) {
    return static_cast<std::uint32_t>((frames * kLineRateHz + static_cast<std::uint64_t>(rate_hz_) - 1) /
                                      static_cast<std::uint64_t>(rate_hz_));
  };
  noticed.lost_samples = at_8k(since(counters.dropped, dropped_));
  noticed.inserted_samples = at_8k(since(counters.missing, missing_));
  noticed.unsent_samples = at_8k(std::exchange(unsent_, 0));
  return noticed;
}

Result<BlockTime> AudioLine::exchange(std::span<const float> sent, std::span<float> heard, Round round) {
  assert(sent.size() == block_ && heard.size() == block_);
  if (lost_) return Error{ErrorCode::line_lost, options_.name + ": the line was lost before"};
  if (const Status ready = wait_for_block(); !ready) return ready.error();
  take_times();
  BlockTime time;
  time.index = index_;
  const double frame = heard_frame();
  time.time_ns = heard_clock_.nominal_ns(frame);
  time.clock_offset_ns = heard_clock_.offset_ns();
  const auto missing = static_cast<double>(port_->counters.missing.load(std::memory_order_relaxed));
  const double leaves = static_cast<double>(index_ * kLineBlock) * rate_hz_ / kLineRateHz + static_cast<double>(held_) +
                        static_cast<double>(shift_) + missing;
  play(sent, round.busy);
  const std::int64_t leaves_ns =
      stream_->one_clock() || !played_clock_.known()
          ? heard_clock_.nominal_ns(leaves)
          : played_clock_.nominal_ns(leaves) + played_clock_.offset_ns() - heard_clock_.offset_ns();
  time.leaves_after_ns = leaves_ns - time.time_ns;
  std::copy_n(ready_.begin(), block_, heard.begin());
  ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(block_));
  if (monitor_) monitor_->play(heard);
  time.noticed = notice();
  spoilt_.note(time);
  ++index_;
  return time;
}

}  // namespace vqas
