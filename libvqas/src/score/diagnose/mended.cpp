#include "score/diagnose/mended.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

// What a step holds belongs to one impairment alone, so the order matters only for what changes all of the speech.
constexpr std::array kOrder{Impairment::clipping, Impairment::loss,  Impairment::cut,      Impairment::coding,
                            Impairment::noise,    Impairment::level, Impairment::band_loss};

}  // namespace

Mended::Steps::Steps(const LaidOut& pair)
    : pair_(pair), coding_share_(std::pow(10, -pair.features.speech_to_coding_db / 10)) {
  const int count = pair_.steps.count();
  first_arrived_ = count;
  for (int step = 0; step < count; ++step) {
    if (pair_.steps.speech()[step] == 0 || pair_.steps.arrival()[step] != Arrival::yes) continue;
    first_arrived_ = std::min(first_arrived_, step);
    last_arrived_ = step;
  }
  stands_out_.reserve(static_cast<std::size_t>(count));
  is_gap_.resize(static_cast<std::size_t>(count));
  rest_.reserve(static_cast<std::size_t>(count));
  for (int step = 0; step < count; ++step) {
    stands_out_.push_back(stands_out(step) ? 1 : 0);
    rest_.push_back(rest_around(step));
    // A gap seldom begins and ends where a step does, and what conceals it fades: a step either side belongs to it.
    if (!is_missing(step)) continue;
    for (int k = std::max(0, step - 1); k < std::min(count, step + 2); ++k) is_gap_[k] = 1;
  }
}

// The share of the amplitude of what is not the speech that is left of a step.
double Mended::Steps::share_left(Impairment impairment, int step) const {
  // What is joined by a jump of the delay.
  if (pair_.features.is_beside_jump(step)) return impairment == Impairment::delay_variation ? 0.0 : 1.0;
  switch (impairment) {
    case Impairment::loss:
      return (is_gap_[step] != 0 && !is_at_end(step)) || is_replaced(step) ? 0.0 : 1.0;
    case Impairment::cut:
      return is_gap_[step] != 0 && is_at_end(step) ? 0.0 : 1.0;
    case Impairment::noise: {
      const bool clicks = pair_.features.clicks_per_s > 0;
      if (impulses(step) || (clicks && stands_out_[step] != 0)) return clicks ? 0.0 : 1.0;
      return is_gap_[step] != 0 ? 1.0 : without_noise(step);
    }
    case Impairment::coding: {
      if (impulses(step)) return pair_.features.impulses_per_s > 0 ? 0.0 : 1.0;
      const bool other =
          is_gap_[step] != 0 || pair_.features.is_clipped(step) || stands_out_[step] != 0 || is_replaced(step);
      return is_talking(step) && !other ? noise_alone(step) : 1.0;
    }
    case Impairment::clipping:
      return pair_.features.is_clipped(step) ? 0.0 : 1.0;
    case Impairment::band_loss:
    case Impairment::level:
    case Impairment::delay_variation:
      return 1;
  }
  return 1;
}

/// The share of a step's rest that is left when the noise of the pauses is taken off, and that is this noise.
double Mended::Steps::without_noise(int step) const {
  const double rest = rest_[step];
  // The power of a short piece of noise scatters.
  if (rest < kClearlyOver * pair_.noise_power) return 0;
  return std::sqrt(std::max(0.0, rest - pair_.noise_power) / (rest + kTiny));
}

double Mended::Steps::noise_alone(int step) const {
  return std::sqrt(std::min(1.0, pair_.noise_power / (rest_[step] + kTiny)));
}

// Over 20 ms.
double Mended::Steps::rest_around(int step) const {
  double sum = 0;
  const int first = std::max(0, step - 2);
  const int last = std::min(step + 3, pair_.steps.count());
  for (int k = first; k < last; ++k) sum += pair_.rest[k];
  return sum / (last - first);
}

/// Whether a step's rest is far more than the coder's usual error and the noise: something else happened there.
bool Mended::Steps::stands_out(int step) const {
  if (pair_.steps.active()[step] == 0 || pair_.features.speech_to_coding_db < kClearlyOverDb) return false;
  if (pair_.features.is_clipped(step)) return false;
  const double expected = pair_.steps.expected()[step];
  const double usual = expected * coding_share_ + pair_.features.noise_power;
  return pair_.steps.residual()[step] > kOverUsual * usual && pair_.steps.residual()[step] > expected / kClearlyOver;
}

/// Whether a step is part of a piece that holds something else than the speech: within two steps, half a packet, of
/// what stands out. Clicks and inverted bits stand out by themselves.
bool Mended::Steps::is_replaced(int step) const {
  if (pair_.features.replaced_share <= kFewReplaced) return false;
  const int reach = pair_.features.clicks_per_s > 0 || pair_.features.impulses_per_s > 0 ? 0 : 2;
  const int last = std::min(step + reach, pair_.steps.count() - 1);
  for (int k = std::max(0, step - reach); k <= last; ++k) {
    if (stands_out_[k] != 0) return true;
  }
  return false;
}

float Mended::Steps::quick_gain(int step) const {
  const float slow = pair_.steps.gain()[step];
  if (pair_.features.level_range_db <= kToldLevelDb) return slow;
  SharedPower shared;
  for (int k = std::max(0, step - 2); k < std::min(step + 3, pair_.steps.count()); ++k) {
    if (is_missing(k)) return slow;
    shared.add(pair_.steps.shared()[k]);
  }
  return shared.yb > kSameWaveform * std::sqrt(shared.bb * shared.yy) ? static_cast<float>(shared.yb / shared.bb)
                                                                      : slow;
}

bool Mended::Steps::is_missing(int step) const {
  return pair_.steps.speech()[step] != 0 && pair_.steps.arrival()[step] == Arrival::no;
}

bool Mended::Steps::is_talking(int step) const {
  return pair_.steps.expected()[step] > kPauseShare * pair_.steps.speech_power();
}

bool Mended::Steps::impulses(int step) const {
  return step < static_cast<int>(pair_.features.impulses.size()) && pair_.features.impulses[step] > 0;
}

bool Mended::Steps::is_at_end(int step) const {
  return step < first_arrived_ || step > last_arrived_;
}

const std::vector<Mended::ShareLeft>& Mended::shares_of(Impairment impairment) {
  auto& shares = shares_[static_cast<std::size_t>(impairment)];
  if (shares) return *shares;
  shares.emplace();
  shares->reserve(static_cast<std::size_t>(pair_.steps.count()));
  for (int step = 0; step < pair_.steps.count(); ++step) {
    const auto share = static_cast<float>(steps_.share_left(impairment, step));
    if (share < 1) shares->push_back({step, share});
  }
  return *shares;
}

bool Mended::changes(Impairment impairment) {
  if (impairment == Impairment::delay_variation) return false;
  return impairment == Impairment::band_loss || impairment == Impairment::level || !shares_of(impairment).empty();
}

void Mended::widen(std::span<float> to) const {
  double sent = 0;
  double arrived = 0;
  for (std::size_t n = 0; n < to.size(); ++n) {
    sent += static_cast<double>(pair_.reference[n]) * pair_.reference[n];
    arrived += static_cast<double>(pair_.predicted[n]) * pair_.predicted[n];
  }
  const auto level = static_cast<float>(std::sqrt(arrived / (sent + kTiny)));
  for (int step = 0; step < pair_.steps.count(); ++step) {
    // What is missing has no band, unless it was filled with what the line passes on.
    if (steps_.is_missing(step) && is_filled_[static_cast<std::size_t>(step)] == 0) continue;
    const float gain = gain_of(step);
    for (std::size_t n = begin_of(step); n < begin_of(step + 1); ++n)
      to[n] += gain * (level * pair_.reference[n] - pair_.predicted[n]);
  }
}

void Mended::hold_level(std::span<float> to) {
  for (int step = 0; step < pair_.steps.count(); ++step) {
    const float gain = 1 / std::max(quick_gain_of(step), kLeastGain);
    for (std::size_t n = begin_of(step); n < begin_of(step + 1); ++n) to[n] *= gain;
  }
  is_level_held_ = true;
}

/// Of the line, slow. Where peaks are gone it has gone down with them, and says nothing.
float Mended::gain_of(int step) const {
  return is_level_held_ || pair_.features.peak_loss >= kClippedPeaks ? 1 : pair_.steps.gain()[step];
}

// What was filled in has the slow gain.
float Mended::quick_gain_of(int step) const {
  const bool is_slow =
      is_level_held_ || pair_.features.peak_loss >= kClippedPeaks || is_filled_[static_cast<std::size_t>(step)] != 0;
  return is_slow ? gain_of(step) : steps_.quick_gain(step);
}

void Mended::take_out(Impairment impairment, std::span<float> to) {
  if (impairment == Impairment::band_loss) return widen(to);
  if (impairment == Impairment::level) return hold_level(to);
  for (const auto& [step, share] : shares_of(impairment)) {
    if (share <= 0) is_filled_[static_cast<std::size_t>(step)] = 1;
    // What moves faster than the level's track is no coder's error.
    const float gain = impairment == Impairment::coding ? quick_gain_of(step) : gain_of(step);
    approach(pair_.predicted.data() + begin_of(step), gain, share, pair_.step_samples, to.data() + begin_of(step));
  }
}

void Mended::without(std::span<const Impairment> impairments, std::span<float> to) {
  std::copy_n(pair_.received.begin(), to.size(), to.begin());
  is_filled_.assign(static_cast<std::size_t>(pair_.steps.count()), 0);
  is_level_held_ = false;
  if (pair_.features.jumps > 0) take_out(Impairment::delay_variation, to);
  for (const Impairment impairment : kOrder) {
    if (std::find(impairments.begin(), impairments.end(), impairment) != impairments.end()) take_out(impairment, to);
  }
}

}  // namespace vqas::scoring
