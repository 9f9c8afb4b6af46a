#include "receive/gone_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <span>

namespace vqas {
namespace {

constexpr std::size_t kFrame = 800;  // 0.1 s: resolves the tones, and the shortest cadence is 0.25 s
constexpr std::array kTones_hz{350.0, 425.0, 440.0, 480.0, 620.0};
constexpr double kSilent = 0.001;     // rms, -60 dBov: below every connected circuit
constexpr double kShareOfTone = 0.7;  // of a frame's power; speech and noise have less
// The longest cadence (ringing, 1 s in 5) is on for a fifth of the time.
constexpr double kLeastSounding = 0.15;
constexpr double kMostElse = 0.05;
constexpr std::size_t kLeastFrames = 10;

enum class Kind { silent, tone, other };

// Power of the sine at this frequency within a Hann window, as a share of full scale's square.
double tone_power(std::span<const float> frame, double frequency_hz) {
  std::complex<double> sum = 0;
  double weight = 0;
  const auto length = static_cast<double>(frame.size());
  for (std::size_t n = 0; n < frame.size(); ++n) {
    const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(n) + 0.5) / length);
    sum += window * static_cast<double>(frame[n]) *
           std::polar(1.0, -2 * std::numbers::pi * frequency_hz * static_cast<double>(n) / kLineRateHz);
    weight += window;
  }
  return 2 * std::norm(sum / weight);
}

Kind kind_of(std::span<const float> frame, std::size_t& strongest) {
  double power = 0;
  for (const float sample : frame) power += static_cast<double>(sample) * sample;
  power /= static_cast<double>(frame.size());
  if (std::sqrt(power) < kSilent) return Kind::silent;
  std::array<double, kTones_hz.size()> tones{};
  double sum = 0;
  strongest = 0;
  for (std::size_t t = 0; t < tones.size(); ++t) {
    tones[t] = tone_power(frame, kTones_hz[t]);
    sum += tones[t];
    if (tones[t] > tones[strongest]) strongest = t;
  }
  // 425 and 440 Hz are closer than the window can resolve: one of them counts for both.
  sum -= std::min(tones[1], tones[2]);
  return sum > kShareOfTone * power ? Kind::tone : Kind::other;
}

bool is_silent(const Signal& recording) {
  const std::size_t frames = recording.size() / kFrame;
  std::size_t ignored = 0;
  for (std::size_t f = 0; f < frames; ++f) {
    const auto frame = std::span(recording.samples).subspan(f * kFrame, kFrame);
    if (kind_of(frame, ignored) != Kind::silent) return false;
  }
  return true;
}

constexpr std::size_t kShortFrame = 160;
constexpr double kLoud = 0.00316;  // rms, -50 dBov
constexpr double kStandsOut = 10;  // in power: 10 dB
constexpr double kBehind_s = 0.1;  // after the speech only the line itself is received

// Mean power of the part within the signal; nothing if there is none.
std::optional<double> power_of(const Signal& signal, double from, double to) {
  const double last = static_cast<double>(signal.size());
  const auto first_sample = static_cast<std::size_t>(std::clamp(from, 0.0, last));
  const auto end_sample = static_cast<std::size_t>(std::clamp(to, 0.0, last));
  if (first_sample >= end_sample) return std::nullopt;
  double sum = 0;
  for (std::size_t n = first_sample; n < end_sample; ++n)
    sum += static_cast<double>(signal.samples[n]) * signal.samples[n];
  return sum / static_cast<double>(end_sample - first_sample);
}

}  // namespace

std::optional<double> missing_tail_s(const Capture& capture, const Signal& reference, double start, double gain_db) {
  if (capture.marks == MarksFound::both || capture.marks == MarksFound::trailing_only) return std::nullopt;
  const Signal& heard = capture.recording;
  const double gain = std::pow(10, gain_db / 10);
  const double behind = start + static_cast<double>(reference.size()) + kBehind_s * kLineRateHz;
  const double floor = power_of(heard, behind, static_cast<double>(heard.size())).value_or(0);
  std::size_t missing = 0;
  for (std::size_t end = reference.size(); end >= kShortFrame; end -= kShortFrame) {
    const auto from = static_cast<double>(end - kShortFrame);
    const double sent = *power_of(reference, from, static_cast<double>(end));
    if (sent < kLoud * kLoud || sent * gain < kStandsOut * floor) continue;
    const auto came = power_of(heard, start + from, start + static_cast<double>(end));
    if (came && *came * kStandsOut > sent * gain) break;
    ++missing;
  }
  const double missing_s = static_cast<double>(missing * kShortFrame) / kLineRateHz;
  return missing_s >= kMissingTail_s ? std::optional(missing_s) : std::nullopt;
}

std::optional<double> call_progress_tone_hz(const Signal& recording) {
  const std::size_t frames = recording.size() / kFrame;
  if (frames < kLeastFrames) return std::nullopt;
  std::size_t tones = 0, others = 0;
  std::array<std::size_t, kTones_hz.size()> votes{};
  for (std::size_t f = 0; f < frames; ++f) {
    std::size_t strongest = 0;
    const Kind kind = kind_of(std::span(recording.samples).subspan(f * kFrame, kFrame), strongest);
    if (kind == Kind::tone) ++votes[strongest];
    tones += kind == Kind::tone ? 1 : 0;
    others += kind == Kind::other ? 1 : 0;
  }
  const auto share = [frames](std::size_t count) { return static_cast<double>(count) / static_cast<double>(frames); };
  // The edge of a cadence falls into a frame that is neither.
  const double edges = share(others) - share(tones) / 2;
  if (share(tones) < kLeastSounding || edges > kMostElse) return std::nullopt;
  std::size_t most = 0;
  for (std::size_t t = 0; t < votes.size(); ++t) {
    if (votes[t] > votes[most]) most = t;
  }
  return kTones_hz.at(most);
}

std::optional<std::string> call_is_gone(const Signal& recording) {
  if (recording.size() / kFrame < kLeastFrames) return std::nullopt;
  if (is_silent(recording)) return "only silence arrived when a transmission was due: the call is gone";
  const auto tone_hz = call_progress_tone_hz(recording);
  if (!tone_hz) return std::nullopt;
  return fmt::format("call-progress tone of {:.0f} Hz arrived when a transmission was due: the call is gone", *tone_hz);
}

std::optional<std::string> CallWatch::gone(const Capture& capture, std::size_t stimulus_length, bool heard_all) {
  const bool nothing = capture.marks == MarksFound::none;
  auto why = call_is_gone(capture, stimulus_length);
  if (nothing && !in_step_ && is_silent(capture.recording)) why.reset();
  if (!heard_all) why.reset();
  in_step_ = !nothing || why.has_value();
  return why;
}

std::optional<std::string> call_is_gone(const Capture& capture, std::size_t stimulus_length) {
  if (capture.marks == MarksFound::none) return call_is_gone(capture.recording);
  if (capture.marks != MarksFound::leading_only || !capture.speech_start) return std::nullopt;
  constexpr double kLastSyllables_s = 0.6;
  const double from = *capture.speech_start + static_cast<double>(stimulus_length) - kLastSyllables_s * kLineRateHz;
  if (from < 0 || from >= static_cast<double>(capture.recording.size())) return std::nullopt;
  Signal tail;
  tail.samples.assign(capture.recording.samples.begin() + static_cast<std::ptrdiff_t>(from),
                      capture.recording.samples.end());
  return call_is_gone(tail);
}

}  // namespace vqas
