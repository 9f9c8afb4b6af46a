#include "vqas/sync/transmission.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "sync/mark_rate.h"
#include "vqas/signal/level.h"
#include "vqas/signal/wide_rate.h"

namespace vqas {
namespace {

constexpr double kShortestGuard_s = 0.05, kLongestGuard_s = 1.0;
// Level of make_leading_mark() and make_trailing_mark().
constexpr double kMarkLevelDbov = -20;
// -13 dBm0, the highest permitted tone level, on a mu-law line.
constexpr double kHottestMarkDbov = kZeroDbm0MuLawDbov - 13;

void place(std::vector<float>& signal, std::size_t start, const std::vector<float>& part, double gain) {
  for (std::size_t n = 0; n < part.size(); ++n) signal[start + n] = static_cast<float>(gain * part[n]);
}

}  // namespace

TransmissionLayout transmission_layout(std::size_t stimulus_length, const TransmissionOptions& options) {
  const double guard_s = std::clamp(options.guard_s, kShortestGuard_s, kLongestGuard_s);
  const auto guard = static_cast<std::size_t>(std::llround(guard_s * kLineRateHz));
  TransmissionLayout layout;
  layout.speech_start = leading_mark_length() + guard;
  layout.speech_length = stimulus_length;
  layout.trailing_start = layout.speech_start + stimulus_length + guard;
  layout.total = layout.trailing_start + trailing_mark_length();
  return layout;
}

std::size_t length_at_mark_rate(const Signal& stimulus) {
  const auto scale = static_cast<std::size_t>(stimulus.rate_hz / kLineRateHz);
  return (stimulus.size() + scale - 1) / scale;
}

Transmission compose_transmission(const Signal& stimulus, const MarkData& data, const TransmissionOptions& options) {
  assert(stimulus.rate_hz == kLineRateHz || stimulus.rate_hz == kWideRateHz);
  const auto scale = static_cast<std::size_t>(stimulus.rate_hz / kLineRateHz);
  Transmission transmission;
  transmission.layout = transmission_layout(length_at_mark_rate(stimulus), options);
  const double level = std::min(options.mark_level_dbov, kHottestMarkDbov);
  const double gain = db_to_amplitude(level - kMarkLevelDbov);
  transmission.signal.rate_hz = stimulus.rate_hz;
  std::vector<float>& samples = transmission.signal.samples;
  samples.assign(scale * transmission.layout.total, 0.0F);
  place(samples, 0, sync::mark_at(make_leading_mark(data), stimulus.rate_hz), gain);
  place(samples, scale * transmission.layout.speech_start, stimulus.samples, 1);
  place(samples, scale * transmission.layout.trailing_start,
        sync::mark_at(make_trailing_mark(data.sender), stimulus.rate_hz), gain);
  return transmission;
}

}  // namespace vqas
