#include "vqas/sync/transmission.h"

#include <algorithm>
#include <cmath>

#include "vqas/signal/level.h"

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

Transmission compose_transmission(const Signal& stimulus, const MarkData& data, const TransmissionOptions& options) {
  Transmission transmission;
  transmission.layout = transmission_layout(stimulus.size(), options);
  const double level = std::min(options.mark_level_dbov, kHottestMarkDbov);
  const double gain = db_to_amplitude(level - kMarkLevelDbov);
  std::vector<float>& samples = transmission.signal.samples;
  samples.assign(transmission.layout.total, 0.0F);
  place(samples, 0, make_leading_mark(data), gain);
  place(samples, transmission.layout.speech_start, stimulus.samples, 1);
  place(samples, transmission.layout.trailing_start, make_trailing_mark(data.sender), gain);
  return transmission;
}

}  // namespace vqas
