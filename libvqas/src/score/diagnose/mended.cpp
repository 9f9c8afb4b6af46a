#include "score/diagnose/mended.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

constexpr double kStandsOut = 10;    // 10 dB over the coder's usual error, as the features
constexpr double kLeastRest = 0.25;  // of the speech of a step, -6 dB
constexpr double kNoiseScatter = 4;  // by hand: 6 dB, by which noise of one step exceeds its mean

// What a step holds belongs to one impairment alone, so the order matters only for what changes all of the speech.
constexpr std::array kOrder{Impairment::clipping,  Impairment::loss,           Impairment::cut,
                            Impairment::coding,    Impairment::noise,          Impairment::level,
                            Impairment::band_loss, Impairment::delay_variation};

class Mending {
 public:
  Mending(const LaidOut& pair, std::vector<float>& to) : pair_(pair), to_(to) {
    to_.assign(pair.received.begin(), pair.received.end());
    is_filled_.assign(static_cast<std::size_t>(pair.steps.count()), 0);
    coding_share_ = std::pow(10, -pair.features.speech_to_coding_db / 10);
    find_ends();
  }

  void run(Impairment impairment) {
    switch (impairment) {
      case Impairment::loss:
        return each_step(
            [this](int step) { return (is_gap(step) && !is_at_end(step)) || is_replaced(step) ? 0.0 : 1.0; });
      case Impairment::cut:
        return each_step([this](int step) { return is_gap(step) && is_at_end(step) ? 0.0 : 1.0; });
      case Impairment::noise:
        return each_step([this](int step) {
          const bool clicks = pair_.features.clicks_per_s > 0;
          if (impulses(step) || (clicks && stands_out(step))) return clicks ? 0.0 : 1.0;
          return is_gap(step) ? 1.0 : without_noise(step);
        });
      case Impairment::coding:
        return each_step([this](int step) {
          if (impulses(step)) return pair_.features.impulses_per_s > 0 ? 0.0 : 1.0;
          const bool other = is_gap(step) || is_clipped(step) || stands_out(step) || is_replaced(step);
          return is_talking(step) && !other ? noise_alone(step) : 1.0;
        });
      case Impairment::clipping:
        return each_step([this](int step) { return is_clipped(step) ? 0.0 : 1.0; });
      case Impairment::band_loss:
        return widen();
      case Impairment::level:
        return hold_level();
      case Impairment::delay_variation:
        return;
    }
  }

 private:
  /// Keeps of what is not the speech the share of its amplitude that a rule leaves.
  template <typename OfStep>
  void each_step(OfStep of_step) {
    for (int step = 0; step < pair_.steps.count(); ++step) {
      const double share = of_step(step);
      if (share >= 1) continue;
      if (share <= 0) is_filled_[static_cast<std::size_t>(step)] = 1;
      approach(pair_.predicted.data() + begin(step), gain_of(step), static_cast<float>(share), kStep,
               to_.data() + begin(step));
    }
  }

  /// The share of a step's rest that is left when the noise of the pauses is taken off, and that is this noise.
  double without_noise(int step) const {
    const double rest = rest_of(step);
    // The power of a short piece of noise scatters.
    if (rest < kNoiseScatter * pair_.features.noise_power) return 0;
    return std::sqrt(std::max(0.0, rest - pair_.features.noise_power) / (rest + kTiny));
  }
  double noise_alone(int step) const {
    return std::sqrt(std::min(1.0, pair_.features.noise_power / (rest_of(step) + kTiny)));
  }
  /// Over 20 ms.
  double rest_of(int step) const {
    double sum = 0;
    const int first = std::max(0, step - 2);
    const int last = std::min(step + 3, pair_.steps.count());
    for (int k = first; k < last; ++k) sum += pair_.steps.residual()[k];
    return sum / (last - first);
  }
  /// Whether a step's rest is far more than the coder's usual error and the noise: something else happened there.
  bool stands_out(int step) const {
    if (pair_.steps.active()[step] == 0 || pair_.features.speech_to_coding_db < kSoundDb) return false;
    const double expected = pair_.steps.expected()[step];
    const double usual = expected * coding_share_ + pair_.features.noise_power;
    return pair_.steps.residual()[step] > kStandsOut * usual && pair_.steps.residual()[step] > kLeastRest * expected;
  }

  /// Whether a step is part of a piece that holds something else than the speech: within two steps, half a packet, of
  /// what stands out. Clicks and inverted bits stand out by themselves.
  bool is_replaced(int step) const {
    if (pair_.features.replaced_share <= kFewReplaced) return false;
    const int reach = pair_.features.clicks_per_s > 0 || pair_.features.impulses_per_s > 0 ? 0 : 2;
    const int last = std::min(step + reach, pair_.steps.count() - 1);
    for (int k = std::max(0, step - reach); k <= last; ++k) {
      if (stands_out(k)) return true;
    }
    return false;
  }

  /// Whether peaks are cut off in a step; none where peaks pass as the rest does.
  bool is_clipped(int step) {
    if (pair_.features.peak_loss < kFaintPeaks) return false;
    if (highest_ < 0) {
      highest_ = 0;
      for (const float sample : pair_.received) highest_ = std::max(highest_, std::abs(sample));
    }
    const auto samples = pair_.received.subspan(begin(step), kStep);
    return std::any_of(samples.begin(), samples.end(),
                       [this](float sample) { return std::abs(sample) >= kPeakShare * highest_; });
  }

  void widen() {
    double sent = 0;
    double arrived = 0;
    for (std::size_t n = 0; n < to_.size(); ++n) {
      sent += static_cast<double>(pair_.reference[n]) * pair_.reference[n];
      arrived += static_cast<double>(pair_.predicted[n]) * pair_.predicted[n];
    }
    const auto level = static_cast<float>(std::sqrt(arrived / (sent + kTiny)));
    for (int step = 0; step < pair_.steps.count(); ++step) {
      // What is missing has no band, unless it was filled with what the line passes on.
      if (is_missing(step) && is_filled_[static_cast<std::size_t>(step)] == 0) continue;
      const float gain = gain_of(step);
      for (std::size_t n = begin(step); n < begin(step + 1); ++n)
        to_[n] += gain * (level * pair_.reference[n] - pair_.predicted[n]);
    }
  }

  void hold_level() {
    for (int step = 0; step < pair_.steps.count(); ++step) {
      const float gain = 1 / std::max(gain_of(step), kLeastGain);
      for (std::size_t n = begin(step); n < begin(step + 1); ++n) to_[n] *= gain;
    }
    is_level_held_ = true;
  }

  /// Of the line, slow. Where peaks are gone it has gone down with them, and says nothing.
  float gain_of(int step) const {
    return is_level_held_ || pair_.features.peak_loss >= kClippedPeaks ? 1 : pair_.steps.gain()[step];
  }
  static std::size_t begin(int step) { return static_cast<std::size_t>(step) * kStep; }
  bool is_missing(int step) const {
    return pair_.steps.speech()[step] != 0 && pair_.steps.arrival()[step] == Arrival::no;
  }
  /// A gap seldom begins and ends where a step does, and what conceals it fades: a step either side belongs to it.
  bool is_gap(int step) const {
    const int last = pair_.steps.count() - 1;
    return is_missing(step) || (step > 0 && is_missing(step - 1)) || (step < last && is_missing(step + 1));
  }
  bool is_talking(int step) const { return pair_.steps.expected()[step] > kPauseShare * pair_.steps.speech_power(); }
  bool impulses(int step) const {
    return step < static_cast<int>(pair_.features.impulses.size()) && pair_.features.impulses[step] > 0;
  }
  bool is_at_end(int step) const { return step < first_arrived_ || step > last_arrived_; }
  void find_ends() {
    const int count = pair_.steps.count();
    first_arrived_ = count;
    for (int step = 0; step < count; ++step) {
      if (pair_.steps.speech()[step] == 0 || pair_.steps.arrival()[step] != Arrival::yes) continue;
      first_arrived_ = std::min(first_arrived_, step);
      last_arrived_ = step;
    }
  }

  const LaidOut& pair_;
  std::vector<float>& to_;
  std::vector<char> is_filled_;  // of each step: whether all of what was received gave way to the speech
  double coding_share_ = 0;      // of the coder's usual error, by the speech
  float highest_ = -1;           // sample, once it was asked for
  int first_arrived_ = 0, last_arrived_ = -1;
  bool is_level_held_ = false;
};

}  // namespace

void mend(std::span<const Impairment> impairments, const LaidOut& pair, std::vector<float>& to) {
  Mending mending(pair, to);
  for (const Impairment impairment : kOrder) {
    if (std::find(impairments.begin(), impairments.end(), impairment) != impairments.end()) mending.run(impairment);
  }
}

}  // namespace vqas::scoring
