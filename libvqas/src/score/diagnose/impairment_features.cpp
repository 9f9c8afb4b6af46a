#include "score/diagnose/impairment_features.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

constexpr double kCleanestDb = 80;          // not tuned: 16 bits hold no more
constexpr double kFloorShare = 1e-8;        // not tuned: the same as a share of the power
constexpr double kImpulseOverMedian = 8;    // more than five standard deviations of normal noise
constexpr double kImpulseOverSpeech = 1.5;  // by hand: times the speech in a step: an error of one sample is larger
// Of the speech's rms, -28 dB: the lowest steps of A-law are 16 of 32768 wide, of speech at -38 dBov a fiftieth.
constexpr double kImpulseLeast = 0.04;
// Of the mean of impulses in 40 ms, variance of what comes with a clock; chance gives as much as the mean. By hand.
constexpr double kRegularSpread = 0.4;
// Samples between the impulses of a click, and how many they are at least.
constexpr int kClickGap = 4;
constexpr float kClickHeight = 0.2F;  // of the largest: what the filter against offsets leaves of a bit error is less
constexpr std::size_t kClickImpulses = 4;  // by hand: a bit error has one to three
constexpr double kClickShare = 0.6;        // by hand: of the impulses
constexpr double kReplacedDb = 3;          // by hand: speech over error in a block that holds something else
// Of the steps with speech: where the time wavers or the polarity flips, it is less.
constexpr double kMostInPlace = 0.5;
constexpr double kQuietShare = 0.1;  // by hand: of the mean power, -10 dB: impulses are counted below it
constexpr int kBorder = kBorderFrames * kFrameSteps;
constexpr int kLongestPauseChange = 1200;  // samples, 150 ms: a play-out buffer that moves in pauses is no fault

double ratio_db(double speech, double fault) {
  return std::min(kCleanestDb, 10 * std::log10((speech + kTiny) / (fault + kFloorShare * speech + kTiny)));
}

class Measuring {
 public:
  Measuring(const AlignedPair& pair, std::span<const float> predicted, const StepPowers& steps, const StepRange& sound)
      : degraded_(pair.degraded()), predicted_(predicted), steps_(steps), sound_(sound) {}

  void impulses(ImpairmentFeatures& features) {
    impulses_.assign(static_cast<std::size_t>(steps_.count()), 0);
    highest_.assign(static_cast<std::size_t>(steps_.count()), 0);
    const double least = kImpulseLeast * std::sqrt(steps_.speech_power());
    int quiet_steps = 0;
    int total = 0;
    std::vector<int> places;
    std::array<float, kStep> error{};
    for (int step = 0; step < steps_.count(); ++step) {
      // Counted where the talker is quiet, for clipping leaves impulses in loud speech.
      const bool quiet = steps_.expected()[step] < kQuietShare * steps_.speech_power();
      quiet_steps += quiet ? 1 : 0;
      const auto at = static_cast<std::size_t>(step) * kStep;
      const auto [largest, speech] =
          step_error(degraded_.data() + at, predicted_.data() + at, steps_.gain()[step], kStep, error.data());
      highest_[static_cast<std::size_t>(step)] = speech;
      const double limit = kImpulseOverSpeech * speech + least;
      if (largest <= limit) continue;
      // Nearly always the median says that nothing stands out, and counting says it without the median.
      const auto least_median = static_cast<float>(largest / kImpulseOverMedian);
      if (count_above(error.data(), least_median, kStep) > kStep / 2) continue;
      auto sorted = error;
      std::nth_element(sorted.begin(), sorted.begin() + kStep / 2, sorted.end());
      const double beyond = std::max(limit, kImpulseOverMedian * sorted[kStep / 2]);
      impulses_[step] =
          static_cast<int>(std::count_if(error.begin(), error.end(), [&](float e) { return e > beyond; }));
      if (!quiet) continue;
      total += impulses_[step];
      for (int n = 0; n < kStep; ++n) {
        if (error[n] > beyond && error[n] > kClickHeight * largest) places.push_back(static_cast<int>(at) + n);
      }
    }
    if (are_regular()) {
      // Hum and the bursts of a radio: what comes with a clock is in the pauses as any other noise.
      std::fill(impulses_.begin(), impulses_.end(), 0);
      return;
    }
    const double per_s = total / (std::max(1, quiet_steps) * kStepMs / 1000);
    // A bit error is over with its sample, or with the ringing of a filter; a click lasts.
    if (share_of_clicks(places) > kClickShare) {
      features.clicks_per_s = per_s;
    } else {
      features.impulses_per_s = per_s;
    }
  }

  // What is heard is the noise within the sound; what the line has is that of all pauses.
  void noise(ImpairmentFeatures& features) {
    const auto noise_in = [&](const StepRange& range) {
      return noise_in_pauses(range, steps_.expected(), steps_.speech_power(), impulses_, [&](int first) {
        const SharedPower shared = shared_in(first, first + kPacketSteps);
        return std::max(0.0, shared.yy - shared.explained()) / (kPacketSteps * kStep);
      });
    };
    noise_ = noise_in(sound_);
    features.noise_power = noise_;
    features.impulses = impulses_;
    // Silence around the speech makes it no less, and what is only around it is the line's, too.
    features.pause_noise_power = std::max(noise_in({0, steps_.count()}), noise_);
    features.speech_to_noise_db = ratio_db(steps_.speech_power(), noise_);
  }

  void blocks(const AlignedPair& pair, ImpairmentFeatures& features) {
    std::vector<double> ratios;
    std::vector<double> vowels;
    for (int first = 0; first + kPacketSteps <= steps_.count(); first += kPacketSteps) {
      double speech = 0;
      int active = 0;
      int missing = 0;
      int spoilt = 0;
      int clipped = 0;
      for (int step = first; step < first + kPacketSteps; ++step) {
        speech += steps_.expected()[step] / kPacketSteps;
        active += steps_.active()[step];
        missing += steps_.arrival()[step] == Arrival::no ? 1 : 0;
        spoilt += impulses_[step];
        clipped += features.is_clipped(step) ? 1 : 0;
      }
      if (active < kPacketSteps) continue;
      if (missing > 0 || spoilt > 0 || speech < kClearlyOver * noise_ || speech < kSoundShare * steps_.speech_power())
        continue;
      if (changes_near(pair, first)) continue;
      // Gain and a fraction of a sample are forgiven: what is left is not the speech.
      const SharedPower shared = shared_in(first, first + kPacketSteps);
      const double explained = shared.explained();
      ratios.push_back(ratio_db(explained, std::max(0.0, shared.yy - explained - noise_ * kPacketSteps * kStep)));
      // Of vowels only: a fricative tells little by its waveform. Clipping is told by itself.
      if (speech < kLoudShare * steps_.speech_power()) continue;
      vowels.push_back(clipped > 0 ? kCleanestDb : ratios.back());
    }
    if (ratios.empty()) {
      features.speech_to_coding_db = features.waveform_kept ? kCleanestDb : 0;
      return;
    }
    auto sorted = ratios;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    features.speech_to_coding_db = *middle;
    if (*middle < kClearlyOverDb) return;
    // A coder gives every block an error of its own: one that holds something else stands out from those.
    const double limit = std::min(kReplacedDb, *middle - 10 * std::log10(kOverUsual));
    const auto replaced = std::count_if(vowels.begin(), vowels.end(), [&](double ratio) { return ratio < limit; });
    features.replaced_share =
        static_cast<double>(replaced) / static_cast<double>(std::max<std::size_t>(1, vowels.size()));
  }

  void peaks(ImpairmentFeatures& features) {
    std::vector<int> compared;
    int all = 0;
    for (int step = 0; step < steps_.count(); ++step) {
      if (!sound(step)) continue;
      ++all;
      if (in_place(step)) compared.push_back(step);
    }
    const std::size_t samples = compared.size() * kStep;
    if (samples < 100 || static_cast<double>(compared.size()) < kMostInPlace * all) return;
    const float peak = expected_above(compared, 1 + samples / 1000);
    const PeakSums sums = peak_sums(degraded_.data(), predicted_.data(), steps_.gain().data(), compared, kStep, peak);
    const double middle = sums.middle_received / (sums.middle + kTiny);
    if (middle <= kTiny) return;
    const double lost = std::clamp(1 - sums.top_received / (sums.top + kTiny) / middle, 0.0, 1.0);
    // Clipping takes off what is high. Another error is as often above as below, and peaks are weaker by chance.
    const double expected = middle * middle * sums.top;
    const double error = sums.received_power - 2 * middle * sums.top_received + expected;
    if (lost * std::sqrt(expected) < kCorrelated * std::sqrt(std::max(0.0, error))) return;
    features.peak_loss = lost;
    if (lost < kFaintPeaks) return;
    // What the line passes on of the lowest of those.
    const auto passed = static_cast<float>(1 - lost) * kTopOfPeak * peak;
    features.clipped.assign(highest_.size(), 0);
    for (const int step : compared) features.clipped[step] = highest_[step] > passed ? 1 : 0;
  }

 private:
  bool sound(int step) const {
    return steps_.active()[step] != 0 && steps_.arrival()[step] != Arrival::no && impulses_[step] == 0;
  }
  /// Of the steps first..last-1 together.
  SharedPower shared_in(int first, int last) const {
    SharedPower sum;
    for (int step = first; step < last; ++step) sum.add(steps_.shared()[step]);
    return sum;
  }
  /// Whether the impulses of quiet moments come more evenly than chance brings them.
  bool are_regular() const {
    std::vector<double> counts;
    for (int first = 0; first + kTwoPackets <= steps_.count(); first += kTwoPackets) {
      int sum = 0;
      bool quiet = true;
      for (int step = first; step < first + kTwoPackets; ++step) {
        quiet = quiet && steps_.expected()[step] < kActiveShare * steps_.speech_power();
        sum += impulses_[step];
      }
      if (quiet) counts.push_back(sum);
    }
    if (counts.empty()) return false;
    const double size = static_cast<double>(counts.size());
    const double mean = std::accumulate(counts.begin(), counts.end(), 0.0) / size;
    double spread = 0;
    for (const double count : counts) spread += (count - mean) * (count - mean) / size;
    return mean >= 1 && spread < kRegularSpread * mean;
  }
  /// Share of the impulses that stand close together.
  static double share_of_clicks(const std::vector<int>& places) {
    std::size_t in_clicks = 0;
    for (std::size_t first = 0; first < places.size();) {
      std::size_t last = first + 1;
      while (last < places.size() && places[last] - places[last - 1] <= kClickGap) ++last;
      in_clicks += last - first >= kClickImpulses ? last - first : 0;
      first = last;
    }
    return static_cast<double>(in_clicks) / static_cast<double>(std::max<std::size_t>(1, places.size()));
  }
  /// Whether peaks can be compared in a step: with two on either side the waveform is that of the prediction, neither
  /// inverted nor displaced by a part of a sample, which takes more from the peaks of a vowel than from the rest.
  bool in_place(int step) const {
    const SharedPower shared = shared_in(std::max(0, step - 2), std::min(steps_.count(), step + 3));
    return shared.yb >= kCorrelated * std::sqrt(shared.bb * shared.yy) &&
           shared.yb * shared.yb >= kSameWaveform * shared.explained() * shared.bb;
  }
  /// The value that so many of what is expected in these steps reach.
  float expected_above(std::vector<int> steps, std::size_t count) const {
    // They lie in as many steps at most, those that reach highest.
    if (count < steps.size()) {
      const auto reaches_higher = [this](int a, int b) { return highest_[a] > highest_[b]; };
      std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count), steps.end(), reaches_higher);
      steps.resize(count);
    }
    std::vector<float> values;
    values.reserve(steps.size() * kStep);
    for (const int step : steps) {
      for (int n = 0; n < kStep; ++n) values.push_back(std::abs(expected(step, n)));
    }
    const auto least = values.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(values.begin(), least, values.end(), std::greater<>());
    return *least;
  }
  float expected(int step, int n) const {
    return steps_.gain()[step] * predicted_[static_cast<std::size_t>(step) * kStep + static_cast<std::size_t>(n)];
  }
  static bool changes_near(const AlignedPair& pair, int step) {
    return std::any_of(pair.changes().begin(), pair.changes().end(), [&](const DelayChange& change) {
      return std::abs(change.frame * kFrameSteps - step) < kBorder;
    });
  }

  std::span<const float> degraded_, predicted_;
  const StepPowers& steps_;
  StepRange sound_;
  std::vector<int> impulses_;
  std::vector<float> highest_;  // of each step: what is expected there
  double noise_ = 0;
};

}  // namespace

namespace {

constexpr std::size_t kEnoughPauses = 4;  // not tuned: blocks for a mean

/// A block of the talker's speech, or of a pause.
struct NoiseBlock {
  double loudest = 0;  ///< power of the speech that is expected there, and a little around
  int first = 0;       ///< step
};

/// Mean of what is `unexplained` in the quieter pauses among `blocks`; of a talker without pauses, in the quietest
/// moments.
double quiet_error(std::span<const NoiseBlock> blocks, double pause_below,
                   const std::function<double(int)>& unexplained) {
  std::vector<NoiseBlock> quiet;
  std::ranges::copy_if(blocks, std::back_inserter(quiet),
                       [&](const NoiseBlock& block) { return block.loudest < pause_below; });
  if (quiet.size() < kEnoughPauses) {
    quiet.assign(blocks.begin(), blocks.end());
    std::ranges::sort(quiet, {}, &NoiseBlock::loudest);
    quiet.resize(std::min(quiet.size(), kEnoughPauses));
  }
  if (quiet.empty()) return 0;
  std::vector<double> errors;
  std::ranges::transform(quiet, std::back_inserter(errors),
                         [&](const NoiseBlock& block) { return unexplained(block.first); });
  // Speech that ends late, its echo or a click must not be the noise: the louder half is left out.
  std::ranges::sort(errors);
  errors.resize(errors.size() - errors.size() / 2);
  return std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(errors.size());
}

}  // namespace

double noise_in_pauses(const StepRange& range, std::span<const float> expected, double speech_power,
                       std::span<const int> impulses, const std::function<double(int)>& unexplained) {
  std::vector<NoiseBlock> blocks;
  const int count = static_cast<int>(expected.size());
  for (int first = range.begin; first + kPacketSteps <= std::min(count, range.end); first += kPacketSteps) {
    const auto near = expected.subspan(static_cast<std::size_t>(std::max(0, first - kPauseMargin)));
    const int around = std::min(count, first + kPacketSteps + kPauseMargin) - std::max(0, first - kPauseMargin);
    const auto hit = impulses.subspan(static_cast<std::size_t>(first), kPacketSteps);
    if (std::ranges::any_of(hit, [](int impulse) { return impulse > 0; })) continue;
    blocks.push_back({*std::max_element(near.begin(), near.begin() + around), first});
  }
  return quiet_error(blocks, kPauseShare * speech_power, unexplained);
}

ImpairmentFeatures measure_impairment_features(const AlignedPair& pair, std::span<const float> predicted,
                                               const StepPowers& steps, const Indices& indices, const StepRange& sound,
                                               bool waveform_kept) {
  ImpairmentFeatures features;
  features.waveform_kept = waveform_kept;
  features.speech_s = indices.missing.speech_ms / 1000;
  features.cut_ms = indices.missing.front_ms + indices.missing.tail_ms;
  features.level_range_db = indices.level_track.range_db;
  features.band_low_hz = indices.band_loss.low_hz;
  features.band_high_hz = indices.band_loss.high_hz;
  features.band_loudness_lost = indices.band_loss.loudness_lost;
  double skipped_ms = 0;
  for (const DelayChange& change : pair.changes()) {
    const int first = std::max(0, change.frame * kFrameSteps - kBorder);
    const int last = std::clamp(change.frame * kFrameSteps + kBorder, first, steps.count());
    const bool talking = std::any_of(steps.active().begin() + first, steps.active().begin() + last,
                                     [](char active) { return active != 0; });
    if (std::abs(change.samples) <= (talking ? kJumpFrom : kLongestPauseChange)) continue;
    ++features.jumps;
    features.beside_jump.resize(static_cast<std::size_t>(steps.count()));
    std::fill(features.beside_jump.begin() + first, features.beside_jump.begin() + last, 1);
    // What the delay steps over did not arrive, but the jump is what is at fault.
    const auto missing = std::count(steps.arrival().begin() + first, steps.arrival().begin() + last, Arrival::no);
    skipped_ms += std::clamp(-change.samples / 8.0, 0.0, static_cast<double>(missing) * kStepMs);
    features.jumps_ms_per_s += std::abs(change.samples) / 8.0;
  }
  const double lost_ms = std::max(0.0, indices.missing.middle_ms - skipped_ms);
  features.missing_share = lost_ms / std::max(1.0, indices.missing.speech_ms);
  features.jumps_ms_per_s /= std::max(0.5, features.speech_s);
  Measuring measuring(pair, predicted, steps, sound);
  measuring.impulses(features);
  measuring.noise(features);
  measuring.peaks(features);
  measuring.blocks(pair, features);
  return features;
}

}  // namespace vqas::scoring
