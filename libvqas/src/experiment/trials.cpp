#include "experiment/trials.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <thread>

#include "receive/measure_capture.h"
#include "vqas/channel/line_direction.h"
#include "vqas/channel/octet_channel.h"
#include "vqas/channel/packet_path.h"
#include "vqas/sync/capture.h"
#include "vqas/sync/transmission.h"

namespace vqas::experiment {
namespace {

constexpr std::size_t kBlock = 160;
constexpr double kGap_s = 0.2;       // silence that ends a transmission of a simulated line
constexpr double kPatience_s = 2;    // added to the duration and delay of a transmission
constexpr std::size_t kFrame = 160;  // for the band measurement: bins of 50 Hz

struct Sent {
  std::vector<float> samples;
  MarkData data;
};

Sent compose(const Trial& trial, const Signal& stimulus, std::size_t number) {
  Sent sent;
  sent.data.sender = trial.sender;
  sent.data.sequence = static_cast<std::uint16_t>(number);
  const auto lead = static_cast<std::size_t>(std::llround((trial.lead_s + kGap_s) * kLineRateHz));
  const auto transmission = compose_transmission(stimulus, sent.data, {});
  sent.samples.assign(lead, 0.0F);
  sent.samples.insert(sent.samples.end(), transmission.signal.samples.begin(), transmission.signal.samples.end());
  return sent;
}

void describe_line(const LineDirection& line, ExperimentPoint& point) {
  const ErrorCounters& counters = line.counters();
  point.measured_ber =
      counters.bits() > 0 ? static_cast<double>(counters.errors()) / static_cast<double>(counters.bits()) : 0;
  point.released = line.octets().releases() > 0;
  if (const PacketCounters* packets = line.packets()) {
    point.packet_loss = static_cast<double>(packets->concealed) / std::max(1.0, static_cast<double>(packets->sent));
    const double video = static_cast<double>(packets->video_sent + packets->video_lost);
    point.video_loss = static_cast<double>(packets->video_lost) / std::max(1.0, video);
  }
}

void judge(const Capture& capture, const Signal& reference, Scorer& scorer, ExperimentPoint& point) {
  Capture recorded = capture;
  recorded.recording = as_recorded(capture.recording);
  const Measurement measurement = measure_capture(recorded, reference, scorer);
  point.outcome = measurement.outcome;
  point.reason = measurement.reason;
  point.mos_lqo = measurement.mos_lqo;
  if (capture.speech_start && *capture.speech_start >= 0) {
    const auto start = static_cast<std::size_t>(std::llround(*capture.speech_start));
    const std::span<const float> received = capture.recording.samples;
    if (start + reference.size() <= received.size()) {
      point.band_loss_db = band_loss_db(reference.samples, received.subspan(start, reference.size()));
    }
  }
}

ExperimentPoint make_trial(const Trial& trial, std::size_t number, const Signal& reference, std::uint64_t seed,
                           Scorer& scorer) {
  ExperimentPoint point;
  point.series = trial.series;
  point.label = trial.label;
  point.x = trial.x;
  point.stimulus = trial.stimulus;

  const Sent sent = compose(trial, reference, number);
  LineDirection line(trial.profile, seed, number);
  CaptureReceiver receiver(trial.sender, {});
  receiver.expect({{sent.data, reference.size(), trial.lead_s + trial.profile.line.delay_s + kPatience_s}});
  const auto tail = static_cast<std::size_t>((trial.profile.line.delay_s + kPatience_s) * kLineRateHz);
  std::vector<Capture> captures;
  std::vector<float> block(kBlock);
  std::vector<float> heard;
  for (std::size_t at = 0; at < sent.samples.size() + tail && captures.empty(); at += kBlock) {
    for (std::size_t i = 0; i < kBlock; ++i) block[i] = at + i < sent.samples.size() ? sent.samples[at + i] : 0.0F;
    line.push(block);
    heard.resize(line.available());
    line.pull(heard);
    captures = receiver.push(heard);
  }
  if (captures.empty()) captures = receiver.abandon();
  describe_line(line, point);
  if (!captures.empty()) judge(captures.front(), reference, scorer, point);
  if (point.released) {
    // What arrives after a release does not belong to this call, whatever its score.
    point.outcome = Outcome::line_lost;
    point.reason = "the network released the call";
    point.mos_lqo.reset();
  }
  return point;
}

double band_power(std::span<const float> samples, int low_hz, int high_hz) {
  double power = 0;
  for (int hz = low_hz; hz <= high_hz; hz += kLineRateHz / static_cast<int>(kFrame)) {
    std::array<float, kFrame> cosine{};
    std::array<float, kFrame> sine{};
    for (std::size_t i = 0; i < kFrame; ++i) {
      const double angle = 2 * std::numbers::pi * hz * static_cast<double>(i) / kLineRateHz;
      const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / kFrame);
      cosine[i] = static_cast<float>(window * std::cos(angle));
      sine[i] = static_cast<float>(window * std::sin(angle));
    }
    for (std::size_t start = 0; start + kFrame <= samples.size(); start += kFrame) {
      float re = 0;
      float im = 0;
      for (std::size_t i = 0; i < kFrame; ++i) {
        re += cosine[i] * samples[start + i];
        im += sine[i] * samples[start + i];
      }
      power += static_cast<double>(re) * re + static_cast<double>(im) * im;
    }
  }
  return power + 1e-12;
}

}  // namespace

double band_loss_db(std::span<const float> reference, std::span<const float> received) {
  const auto tilt = [](std::span<const float> samples) {
    return 10 * std::log10(band_power(samples, 2800, 3400) / band_power(samples, 500, 2000));
  };
  return tilt(reference) - tilt(received);
}

Error cancelled() {
  return {ErrorCode::cancelled, "the experiment was cancelled; no file was written"};
}

Result<std::vector<ExperimentPoint>> run_trials(const std::vector<Trial>& trials, const Recordings& recordings,
                                                const ExperimentOptions& options) {
  std::vector<ExperimentPoint> points(trials.size());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex telling;
  std::size_t done = 0;
  const auto work = [&] {
    Scorer scorer;
    for (std::size_t i = next++; i < trials.size() && !stop; i = next++) {
      if (options.cancelled && options.cancelled()) {
        stop = true;
        return;
      }
      points[i] = make_trial(trials[i], i, recordings.at(trials[i].stimulus), options.seed, scorer);
      const std::lock_guard lock(telling);
      ++done;
      if (options.progress) options.progress(done, trials.size());
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < options.threads; ++i) threads.emplace_back(work);
  work();
  threads.clear();
  if (stop) return cancelled();
  return points;
}

}  // namespace vqas::experiment
