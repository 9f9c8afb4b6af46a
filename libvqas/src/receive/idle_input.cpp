#include "vqas/receive/idle_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "receive/gone_call.h"
#include "vqas/signal/idle_noise.h"
#include "vqas/signal/level.h"

namespace vqas {
namespace {

constexpr std::size_t kJudged = 10 * kLineRateHz;
constexpr double kQuiet_dbov = -60;      // below every connected circuit
constexpr std::size_t kFrame = 800;      // 0.1 s, which resolves bins of 10 Hz
constexpr std::size_t kMostFrames = 20;  // spread over the signal
constexpr int kBin_hz = 10;

// Power within a Hann window at this frequency, by Goertzel's recurrence.
double bin_power(std::span<const float> windowed, double hz) {
  const double turn = 2 * std::numbers::pi * hz / kLineRateHz;
  const double factor = 2 * std::cos(turn);
  double before = 0, last = 0;
  for (const float sample : windowed) {
    const double next = static_cast<double>(sample) + factor * last - before;
    before = std::exchange(last, next);
  }
  return last * last + before * before - factor * last * before;
}

double power_of(std::span<const float> samples) {
  double sum = 0;
  for (const float sample : samples) sum += static_cast<double>(sample) * sample;
  return sum / static_cast<double>(samples.size());
}

std::string level_in_words(const IdleInput& input) {
  std::string words = fmt::format("{:.1f} dBov", input.level_dbov.value_or(0));
  if (input.level_dbm0p) words += fmt::format(" ({:.1f} dBm0p)", *input.level_dbm0p);
  return words;
}

}  // namespace

std::optional<double> psophometric_dbov(const Signal& signal) {
  const std::size_t frames = signal.size() / kFrame;
  if (frames == 0) return std::nullopt;
  const std::size_t used = std::min(frames, kMostFrames);
  double sum = 0;
  std::array<float, kFrame> windowed{};
  for (std::size_t f = 0; f < used; ++f) {
    const auto frame = std::span(signal.samples).subspan(f * frames / used * kFrame, kFrame);
    for (std::size_t n = 0; n < kFrame; ++n) {
      const double window = 0.5 - 0.5 * std::cos(2 * std::numbers::pi * (static_cast<double>(n) + 0.5) / kFrame);
      windowed[n] = static_cast<float>(window * static_cast<double>(frame[n]));
    }
    for (int hz = kBin_hz; hz < static_cast<int>(kLineRateHz) / 2; hz += kBin_hz)
      sum += bin_power(windowed, hz) * std::pow(10, psophometric_weight_db(hz) / 10);
  }
  // Parseval: two sides, and the mean square of the window.
  const double power = 2 * sum / static_cast<double>(used) / (kFrame * kFrame * 0.375);
  return power > 0 ? std::optional(10 * std::log10(power)) : std::nullopt;
}

IdleInput judge_idle_input(const Signal& heard, bool no_packets) {
  IdleInput input;
  if (no_packets) {
    input.kind = IdleInput::Kind::no_packets;
    return input;
  }
  const std::size_t count = std::min(heard.size(), kJudged);
  Signal last;
  last.samples.assign(heard.samples.end() - static_cast<std::ptrdiff_t>(count), heard.samples.end());
  const auto differs = [&last](float sample) { return sample != last.samples.front(); };
  if (std::ranges::none_of(last.samples, differs)) return input;
  input.level_dbov = 10 * std::log10(power_of(last.samples));
  if (const auto weighted = psophometric_dbov(last)) input.level_dbm0p = *weighted - kZeroDbm0MuLawDbov;
  if (const auto tone = call_progress_tone_hz(last)) {
    input.kind = IdleInput::Kind::tone;
    input.tone_hz = *tone;
  } else {
    input.kind = *input.level_dbov < kQuiet_dbov ? IdleInput::Kind::quiet : IdleInput::Kind::noise;
  }
  return input;
}

std::string in_words(const IdleInput& input) {
  switch (input.kind) {
    case IdleInput::Kind::no_packets:
      return "no packet arrived";
    case IdleInput::Kind::digital_silence:
      return "digital silence (every sample is the same)";
    case IdleInput::Kind::quiet:
      return "only quiet noise at " + level_in_words(input);
    case IdleInput::Kind::tone:
      return fmt::format("call-progress tone of {:.0f} Hz at {}", input.tone_hz, level_in_words(input));
    case IdleInput::Kind::noise:
      return "noise at " + level_in_words(input) + ", but no mark in it";
  }
  return {};
}

std::string what_to_look_at(const IdleInput& input, const std::string& hearing, const std::string& speaking) {
  switch (input.kind) {
    case IdleInput::Kind::no_packets:
      return fmt::format(
          "check whether the node at {} runs, whether its line's name gives {}'s address and port, and whether a "
          "firewall drops UDP",
          speaking, hearing);
    case IdleInput::Kind::digital_silence:
      return fmt::format(
          "check {0}: is the call connected, is the right input device and channel chosen, is the input muted? Then "
          "check {1}: is its output muted, or another device?",
          hearing, speaking);
    case IdleInput::Kind::quiet:
      return fmt::format(
          "check {0}: is the cable in the right socket, is the input's gain up, is it the right input? Then check {1}: "
          "is its output muted, its cable unplugged, its level at zero?",
          hearing, speaking);
    case IdleInput::Kind::tone:
      return "the call is not connected: dial, or wait until the other end answers";
    case IdleInput::Kind::noise:
      return fmt::format(
          "{0}'s input has a signal: is it connected to this line, or to a room, another call or hum? Is {1}'s "
          "output connected to the line, and loud enough?",
          hearing, speaking);
  }
  return {};
}

std::string nothing_heard(const IdleInput& input, const std::string& hearing, const std::string& speaking) {
  return fmt::format("{} hears nothing of {}: {}; {}", hearing, speaking, in_words(input),
                     what_to_look_at(input, hearing, speaking));
}

std::string in_words(const MarkWait& wait) {
  return nothing_heard(wait.heard, name_of(other_end(wait.from)), name_of(wait.from));
}

}  // namespace vqas
