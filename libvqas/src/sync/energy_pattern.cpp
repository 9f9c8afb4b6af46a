#include "sync/energy_pattern.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sync/hop_code.h"
#include "vqas/signal/signal.h"

namespace vqas::sync {
namespace {

constexpr int kVoiceLowBin = 10, kVoiceHighBin = 109;  // 312 and 3406 Hz
// The marks' band for the share: 1062–2062 Hz, inside the pattern's band by the leakage of two bins.
constexpr int kShareLowBin = 34, kShareHighBin = 66;
constexpr float kLeastShare = 0.9F;
// A frame with a smaller share has no shape; such frames are few where the overall share is sufficient.
constexpr float kLeastFrameShare = 0.5F;
// Single tones hold 0.83 and more of a frame's energy within the main lobe of their window, Codec 2's harmonics 0.66 at
// most (600 marks; 60 places that warbling and hopping tones matched).
constexpr float kMostPeak = 0.75F;
constexpr int kPeakReach = 2;
// Added to a frame's energy so that digital silence has no shape: -90 dBov, times the energy of 90 samples under a Hann
// window.
constexpr float kFloor = 1e-9F * 90 * 256 / 2;
// Smear of a vocoder: standard deviations in frames and bins, measured with Codec 2 at 3200 bit/s.
constexpr double kSmearFrames = 1.5, kSmearBins = 0.75;

double gauss(double distance, double deviation) {
  return std::exp(-0.5 * distance * distance / (deviation * deviation));
}

}  // namespace

EnergyPattern::EnergyPattern(End sender) : time_(kTransform), spectrum_(kTransform / 2 + 1), fft_(kTransform) {
  for (std::size_t n = 0; n < kFrame; ++n) {
    const double phase = 2 * std::numbers::pi * (static_cast<double>(n) + 0.5) / kFrame;
    window_[n] = static_cast<float>(0.5 - 0.5 * std::cos(phase));
  }
  std::size_t i = 0;
  for (const End end : {sender, other_end(sender)}) {
    for (const MarkKind kind : {MarkKind::leading, MarkKind::trailing}) learn(end, kind, patterns_[i++]);
  }
}

EnergyPattern::Frame EnergyPattern::look(std::span<const float> samples) {
  for (std::size_t n = 0; n < kFrame; ++n) time_[n] = samples[n] * window_[n];
  fft_.forward(time_.data(), spectrum_.data());
  Frame frame;
  float whole = kFloor, inside = 0;
  for (int bin = kVoiceLowBin; bin <= kVoiceHighBin; ++bin) {
    const float energy = std::norm(spectrum_[static_cast<std::size_t>(bin)]);
    whole += energy;
    if (bin >= kShareLowBin && bin <= kShareHighBin) inside += energy;
    if (bin >= kLowBin && bin <= kHighBin) frame.shape[static_cast<std::size_t>(bin - kLowBin)] = energy;
  }
  frame.share = inside / whole;
  if (frame.share < kLeastFrameShare) return {{}, frame.share, 0};
  const auto strongest = std::max_element(frame.shape.begin(), frame.shape.end());
  const auto from = strongest - std::min<std::ptrdiff_t>(kPeakReach, strongest - frame.shape.begin());
  const auto to = strongest + std::min<std::ptrdiff_t>(kPeakReach + 1, frame.shape.end() - strongest);
  frame.peak = std::accumulate(from, to, 0.0F) / whole;
  for (float& value : frame.shape) value = std::sqrt(value / whole);
  return frame;
}

// The pattern of a transmitted code, smeared, with each bin's mean over time removed: a stationary spectrum then
// matches no code.
void EnergyPattern::learn(End end, MarkKind kind, std::vector<Column>& pattern) {
  constexpr int kMargin = 12;  // frames on both sides, for the smear
  const HopCode code(end, kind);
  std::vector<float> wave(static_cast<std::size_t>((kFrames + 2 * kMargin) * kHop + kFrame), 0.0F);
  for (std::size_t n = 0; n < kHopLength; ++n) {
    const double phase = 2 * std::numbers::pi * kCarrierHz / kLineRateHz * static_cast<double>(n);
    wave[n + kMargin * kHop + kFrame / 2] =
        static_cast<float>((code.envelope(static_cast<double>(n)) * std::polar(0.1, phase)).real());
  }
  std::vector<Column> raw;
  for (std::size_t start = 0; start + kFrame <= wave.size(); start += kHop) {
    raw.push_back(look(std::span(wave).subspan(start, kFrame)).shape);
  }
  pattern.assign(kFrames, Column{});
  for (int frame = 0; frame < kFrames; ++frame) {
    Column& column = pattern[static_cast<std::size_t>(frame)];
    for (int i = -6; i <= 6; ++i) {
      const Column& from = raw[static_cast<std::size_t>(frame + kMargin + i)];
      for (int bin = 0; bin < kBins; ++bin) {
        for (int j = std::max(-3, -bin); j <= std::min(3, kBins - 1 - bin); ++j) {
          column[static_cast<std::size_t>(bin)] += static_cast<float>(gauss(i, kSmearFrames) * gauss(j, kSmearBins)) *
                                                   from[static_cast<std::size_t>(bin + j)];
        }
      }
    }
    float energy = 0;
    for (const float value : column) energy += value * value;
    for (float& value : column) value /= std::sqrt(std::max(energy, 1e-12F));
  }
  double energy = 0;
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    float mean = 0;
    for (const Column& column : pattern) mean += column[bin] / kFrames;
    for (Column& column : pattern) column[bin] -= mean, energy += column[bin] * column[bin];
  }
  for (Column& column : pattern) {
    for (float& value : column) value /= static_cast<float>(std::sqrt(energy));
  }
}

double EnergyPattern::correlation(const std::vector<Column>& pattern) const {
  float product = 0;
  for (std::size_t i = 0; i < kFrames; ++i) {
    const Column& shape = frames_[(static_cast<std::size_t>(count_) + i) % kFrames].shape;
    for (std::size_t bin = 0; bin < kBins; ++bin) product += pattern[i][bin] * shape[bin];
  }
  return product;
}

void EnergyPattern::compare(double least, std::vector<PatternPlace>& places) {
  Column sum{};
  float energy = 0;
  for (const Frame& frame : frames_) {
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      sum[bin] += frame.shape[bin];
      energy += frame.shape[bin] * frame.shape[bin];
    }
  }
  for (const float value : sum) energy -= value * value / kFrames;
  const double scale = 1 / std::sqrt(std::max(energy, 1e-3F));
  std::array<double, 4> alike{};
  std::transform(patterns_.begin(), patterns_.end(), alike.begin(),
                 [&](const auto& pattern) { return scale * correlation(pattern); });
  const std::int64_t at = (count_ - kFrames) * kHop + kFrame / 2;
  for (const std::size_t kind : {0U, 1U}) {
    if (alike[kind] < least || alike[kind] < std::max(alike[2], alike[3])) continue;
    places.push_back({kind == 0 ? MarkKind::leading : MarkKind::trailing, at, alike[kind]});
  }
}

void EnergyPattern::push(std::span<const float> samples, double least, std::vector<PatternPlace>& places) {
  waiting_.insert(waiting_.end(), samples.begin(), samples.end());
  std::size_t start = 0;
  for (; start + kFrame <= waiting_.size(); start += kHop) {
    Frame& slot = frames_[static_cast<std::size_t>(count_ % kFrames)];
    slot = look(std::span(waiting_).subspan(start, kFrame));
    ++count_;
    shares_ = peaks_ = 0;
    for (const Frame& frame : frames_) shares_ += frame.share, peaks_ += frame.peak;
    if (count_ >= kFrames && shares_ >= kLeastShare * kFrames && peaks_ <= kMostPeak * kFrames) compare(least, places);
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(start));
}

}  // namespace vqas::sync
