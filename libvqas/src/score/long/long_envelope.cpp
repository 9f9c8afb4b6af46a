#include "score/long/long_envelope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "score/dsp/kernels.h"
#include "score/dsp/padded_signal.h"
#include "score/dsp/power_of_speech.h"
#include "score/model/model.h"
#include "score/prepare/envelope.h"
#include "vqas/signal/resample.h"

namespace vqas::scoring {
namespace {

/// Adds the energy of each step of a piece.
void add_energies(const Signal& piece, std::size_t steps, PaddedSignal& work, LongEnvelope& envelope) {
  const double sum = std::accumulate(piece.samples.begin(), piece.samples.end(), 0.0);
  const auto mean = static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(1, piece.size())));
  const auto room = work.reset(steps * kAlignedFrame);
  for (std::size_t n = 0; n < room.size(); ++n) room[n] = n < piece.size() ? piece.samples[n] - mean : 0.0F;
  std::vector<float> loudness(steps);
  std::vector<float> power(steps);
  difference_energies(work.samples().data(), AlignmentModel().envelope_preemphasis, kAlignedFrame, loudness);
  energies(work.samples().data(), kAlignedFrame, power);
  for (std::size_t step = 0; step < steps; ++step) {
    // What is no number is refused by who scores it.
    const bool is_number = std::isfinite(loudness[step]);
    envelope.loudness.push_back(is_number ? loudness[step] : 0);
    envelope.power.push_back(is_number ? power[step] / kAlignedFrame : 0);
  }
}

/// Over three steps, a quarter of each neighbour: half a step of the delay then leaves what is shared, r^2 0.93.
void smooth(std::vector<float>& values) {
  float before = values.empty() ? 0 : values.front();
  for (std::size_t n = 0; n + 1 < values.size(); ++n) {
    const float here = values[n];
    values[n] = (before + 2 * here + values[n + 1]) / 4;
    before = here;
  }
}

constexpr int kLowestRateHz = 1000;  // not tuned: as the readers and the conversion of rates have it
// not tuned: what belongs to a sound on either side of a cut, 3
constexpr int kQuietSteps = static_cast<int>(2 * kAroundSoundS / kEnvelopeStepS + 0.5);

}  // namespace

Error stopped() {
  return {ErrorCode::cancelled, "scoring was stopped before the end of the recording"};
}

double LongEnvelope::quietest_s(double from_s, double to_s) const {
  const auto first = static_cast<std::size_t>(from_s / kEnvelopeStepS);
  const auto last = std::min(power.size(), static_cast<std::size_t>(to_s / kEnvelopeStepS));
  double least = std::numeric_limits<double>::infinity();
  double best_s = to_s;
  for (std::size_t n = first; n + kQuietSteps <= last; ++n) {
    const double here = std::accumulate(&power[n], &power[n] + kQuietSteps, 0.0);
    if (here > least) continue;
    least = here;
    best_s = (static_cast<double>(n) + kQuietSteps / 2.0) * kEnvelopeStepS;
  }
  return best_s;
}

std::pair<double, double> LongEnvelope::sound_s(double share) const {
  const auto is_sound = [limit = share * power_of_speech(power)](float one) { return one > limit; };
  const auto first = std::ranges::find_if(power, is_sound);
  const auto last = std::find_if(power.rbegin(), power.rend(), is_sound).base();
  const auto seconds = [this](auto place) { return static_cast<double>(place - power.begin()) * kEnvelopeStepS; };
  return first == power.end() ? std::pair(0.0, seconds(power.end())) : std::pair(seconds(first), seconds(last));
}

Result<LongEnvelope> long_envelope(const LongRecording& recording, double piece_s, const GoOn& go_on) {
  const auto all = static_cast<std::size_t>(std::ceil(recording.seconds / kEnvelopeStepS));
  const auto at_once = static_cast<std::size_t>(piece_s / kEnvelopeStepS);
  LongEnvelope envelope;
  auto& energies = envelope.loudness;
  energies.reserve(all);
  envelope.power.reserve(all);
  PaddedSignal work;
  while (energies.size() < all) {
    const std::size_t steps = std::min(at_once, all - energies.size());
    const double start_s = static_cast<double>(energies.size()) * kEnvelopeStepS;
    auto piece =
        recording.read(start_s, std::min(static_cast<double>(steps) * kEnvelopeStepS, recording.seconds - start_s));
    if (!piece) return piece.error();
    if (piece->rate_hz < kLowestRateHz) {
      return Error{ErrorCode::bad_input, fmt::format("a recording's sampling rate is {} Hz; at least {} Hz are needed",
                                                     piece->rate_hz, kLowestRateHz)};
    }
    if (piece->rate_hz != kAlignedRateHz) {
      auto converted = resample(*piece, kAlignedRateHz);
      piece = converted ? *std::move(converted) : Signal{{}, kAlignedRateHz};
    }
    add_energies(*piece, steps, work, envelope);
    if (!go_on(static_cast<double>(energies.size()) / static_cast<double>(all))) return stopped();
  }
  const double total = std::accumulate(energies.begin(), energies.end(), 0.0);
  const double mean = total / static_cast<double>(std::max<std::size_t>(1, all));
  const AlignmentModel model;
  to_power(energies, static_cast<float>(1 / (mean + kSilence)), model.envelope_floor, model.envelope_exponent);
  smooth(energies);
  return envelope;
}

}  // namespace vqas::scoring
