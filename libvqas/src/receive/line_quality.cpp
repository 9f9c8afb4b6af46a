#include "vqas/receive/line_quality.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "sync/capture_margin.h"

namespace vqas {
namespace {

constexpr std::size_t kFrame = 160;
constexpr double kLoud = 0.003;       // rms, -50 dBov: speech
constexpr double kQuiet = 0.00056;    // -65 dBov: a pause; the corpus's own noise is at -75
constexpr std::size_t kDecay = 3;     // frames after speech or a mark, for the decay of filters and short echoes
constexpr double kLeastNoise = 1e-9;  // -90 dBov
// ISO 266, nominal; the exact ones are 1000 Hz times powers of 10^0.1.
constexpr std::array kNominal_hz{315.0, 400.0, 500.0, 630.0, 800.0, 1000.0, 1250.0, 1600.0, 2000.0, 2500.0, 3150.0};
constexpr int kThousand = 5;

// A second-order band-pass with gain 1 at its centre, by the bilinear transform.
class BandPass {
 public:
  explicit BandPass(double centre_hz) {
    constexpr double kThirdOctaveQ = 4.318;
    const double w = 2 * std::numbers::pi * centre_hz / kLineRateHz;
    const double alpha = std::sin(w) / (2 * kThirdOctaveQ);
    b_ = alpha / (1 + alpha);
    a1_ = -2 * std::cos(w) / (1 + alpha);
    a2_ = (1 - alpha) / (1 + alpha);
  }
  double operator()(double x) {
    const double y = b_ * (x - x2_) - a1_ * y1_ - a2_ * y2_;
    x2_ = std::exchange(x1_, x);
    y2_ = std::exchange(y1_, y);
    return y;
  }

 private:
  double b_, a1_, a2_;
  double x1_ = 0, x2_ = 0, y1_ = 0, y2_ = 0;
};

// Sums of squares, and over how many samples.
struct Power {
  double sum = 0;
  std::size_t samples = 0;
  void add(double more) {
    sum += more;
    samples += kFrame;
  }
  double mean() const { return samples == 0 ? 0 : sum / static_cast<double>(samples); }
};

struct Pair {
  Power sent, received;
};

// By frame of the stimulus.
std::vector<double> frame_powers(std::span<const float> samples) {
  std::vector<double> powers;
  for (std::size_t at = 0; at + kFrame <= samples.size(); at += kFrame) {
    double sum = 0;
    for (const float sample : samples.subspan(at, kFrame)) sum += static_cast<double>(sample) * sample;
    powers.push_back(sum);
  }
  return powers;
}

std::vector<float> filtered(std::span<const float> samples, double centre_hz) {
  std::array<BandPass, 2> filters{BandPass(centre_hz), BandPass(centre_hz)};
  std::vector<float> out;
  out.reserve(samples.size());
  for (const float sample : samples) out.push_back(static_cast<float>(filters[1](filters[0](sample))));
  return out;
}

bool is_pause(const std::vector<double>& frames, std::size_t frame) {
  constexpr double kMost = kQuiet * kQuiet * kFrame;
  if (frame < kDecay || frame + 1 >= frames.size()) return false;
  return std::all_of(frames.begin() + static_cast<std::ptrdiff_t>(frame - kDecay),
                     frames.begin() + static_cast<std::ptrdiff_t>(frame + 2),
                     [](double power) { return power < kMost; });
}

// A stimulus and its received signal, sample by sample.
struct Compared {
  std::span<const float> sent, received;
  std::vector<double> frames;  // of the sent signal
};

void add(const Compared& one, std::span<const float> sent, std::span<const float> received, Pair& speech,
         Pair& pauses) {
  constexpr double kLeast = kLoud * kLoud * kFrame;
  const auto powers_sent = frame_powers(sent), powers_received = frame_powers(received);
  for (std::size_t frame = 0; frame < one.frames.size(); ++frame) {
    const bool loud = one.frames[frame] > kLeast;
    if (!loud && !is_pause(one.frames, frame)) continue;
    Pair& to = loud ? speech : pauses;
    to.sent.add(powers_sent[frame]);
    to.received.add(powers_received[frame]);
  }
}

double gain_of(const Pair& speech, const Pair& pauses) {
  const double received = speech.received.mean() - pauses.received.mean();
  return std::max(received, 1e-3 * speech.received.mean()) / speech.sent.mean();
}

}  // namespace

LineQuality line_quality(const std::vector<CheckedTransmission>& transmissions) {
  std::vector<Compared> compared;
  for (const CheckedTransmission& one : transmissions) {
    // A delay that stepped leaves the speech at more than one position.
    const bool placed = leading_mark(one.measurement.marks_found) && !one.measurement.delay_step_ms;
    const std::span<const float> received(one.recording.samples);
    if (!one.measurement.mos_lqo || !placed || received.size() < sync::kCaptureMargin + one.reference.size()) continue;
    const std::span<const float> sent(one.reference.samples);
    compared.push_back({sent, received.subspan(sync::kCaptureMargin, sent.size()), frame_powers(sent)});
  }
  LineQuality quality;
  Pair speech, pauses;
  for (const Compared& one : compared) add(one, one.sent, one.received, speech, pauses);
  if (speech.sent.mean() <= 0) return quality;
  if (pauses.received.samples > 0) {
    const double noise = pauses.received.mean() - gain_of(speech, pauses) * pauses.sent.mean();
    quality.noise_dbov = 10 * std::log10(std::max(noise, kLeastNoise));
  }
  for (std::size_t band = 0; band < kNominal_hz.size(); ++band) {
    const double centre_hz = 1000 * std::pow(10.0, 0.1 * (static_cast<int>(band) - kThousand));
    Pair in_band, noise;
    for (const Compared& one : compared) {
      add(one, filtered(one.sent, centre_hz), filtered(one.received, centre_hz), in_band, noise);
    }
    if (in_band.sent.mean() > 0)
      quality.response.push_back({kNominal_hz.at(band), 10 * std::log10(gain_of(in_band, noise))});
  }
  return quality;
}

}  // namespace vqas
