#include "score/align/evidence.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

// Each independent value of a frame tells half of -log(1 - r^2). 32 ms of a telephone band hold 200, of which a voice's
// few harmonics leave a fifteenth, and frames overlap by a half. Searched between 3 and 5.
constexpr double kNatsPerUnit = 3.5;

// Of what can be expected: so much must be there. Searched on the calibration's pairs with the next two.
constexpr double kExpected = 0.45;
// The same of a frame of a path, where each may be better or worse than the others.
constexpr double kPathExpected = 0.2;
constexpr double kMostExpected = 3;  // r 0.97: a fraction of a sample or a filter takes as much

const auto kMostShared = static_cast<float>(-std::expm1(-kMostUnits));  // r^2 of the most units

/// One value for each frame, given in turn: `fill` takes the logarithms of several frames at once.
template <typename Fill>
class InTurn {
 public:
  InTurn(std::span<const float> of, Fill fill) : of_(of), fill_(fill) {}
  double next() {
    if (at_ % kAtOnce == 0) {
      const std::size_t count = std::min(kAtOnce, of_.size() - at_);
      fill_(of_.subspan(at_, count), std::span(values_).first(count));
    }
    return values_[at_++ % kAtOnce];
  }

 private:
  static constexpr std::size_t kAtOnce = 64;  // not tuned: logarithms side by side
  std::span<const float> of_;
  Fill fill_;
  std::size_t at_ = 0;
  std::array<float, kAtOnce> values_;
};

/// The units of frames of these correlations.
auto units_in_turn(std::span<const float> correlation) {
  return InTurn(correlation, to_units);
}

/// What can be expected of frames of these weights: noise is the same in quiet frames.
auto expected_in_turn(double quality, std::span<const float> weight) {
  const auto above_noise = static_cast<float>(std::expm1(quality));
  return InTurn(weight, [above_noise](std::span<const float> weights, std::span<float> units) {
    logarithms_above_one(weights, above_noise, units);
  });
}

}  // namespace

double units_of(double correlation) {
  const double r = std::clamp(correlation, 0.0, 1.0);
  return std::min(kMostUnits, -std::log1p(-std::min(r * r, 1 - 1e-9)));
}

double cost_of_choice(int delays) {
  return std::log(std::max(2, delays));
}

double cost_of_choice(const DelayRange& range) {
  return cost_of_choice(range.highest - range.lowest + 1);
}

std::optional<double> quality_of(std::span<const float> correlation, std::span<const float> weight,
                                 std::vector<double>& work) {
  work.clear();
  auto units = units_in_turn(correlation);
  for (const float w : weight) {
    const double here = units.next();
    if (w >= kLoudAmplitude) work.push_back(here);
  }
  if (work.empty()) return std::nullopt;
  // Most may lie at another delay.
  const auto best = work.begin() + static_cast<std::ptrdiff_t>(kBestTenth * static_cast<double>(work.size() - 1));
  std::nth_element(work.begin(), best, work.end());
  return std::min(kMostExpected, *best);
}

std::optional<double> mean_units(std::span<const float> units, std::span<const char> chosen) {
  double sum = 0;
  int count = 0;
  for (std::size_t j = 0; j < units.size(); ++j) {
    if (chosen[j] == 0) continue;
    sum += std::min(kMostExpected, static_cast<double>(units[j]));
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

void weigh_evidence(std::span<const float> units, std::span<const float> weight, double quality,
                    std::span<float> evidence) {
  const std::size_t count = units.size() / weight.size();
  auto expected = expected_in_turn(quality, weight);
  for (std::size_t j = 0; j < weight.size(); ++j) {
    const double w = weight[j];
    const auto least = static_cast<float>(kPathExpected * expected.next());
    const auto nats = static_cast<float>(kNatsPerUnit * w);
    for (std::size_t n = j * count; n < (j + 1) * count; ++n) evidence[n] = nats * (units[n] - least);
  }
}

void to_units(std::span<const float> correlation, std::span<float> units) {
  shared_logarithms(correlation, kMostShared, units);
}

double gain_in_nats(double weight, double units, double other) {
  return kNatsPerUnit * weight * (units - other);
}

double expected_evidence(std::span<const float> weight, double quality) {
  double sum = 0;
  auto expected = expected_in_turn(quality, weight);
  for (const double w : weight) sum += kNatsPerUnit * w * (1 - kPathExpected) * expected.next();
  return sum;
}

double evidence_of(const Alignment& alignment, const DelayRange& range) {
  const double choice = cost_of_choice(range);
  // Of a filter each value costs half the logarithm of what it was told from (G. Schwarz, Ann. Statist. 6(2), 1978).
  const double frames = std::max<double>(1, static_cast<double>(alignment.delay.size()));
  double evidence = -choice - 0.5 * alignment.taps * std::log(frames);
  auto units = units_in_turn(alignment.correlation);
  for (std::size_t j = 0; j < alignment.delay.size(); ++j) {
    evidence += kNatsPerUnit * alignment.weight[j] * units.next();
    if (j > 0 && std::abs(alignment.delay[j] - alignment.delay[j - 1]) > kSameDelay) evidence -= choice;
  }
  return evidence;
}

bool one_delay_holds(std::span<const float> correlation, std::span<const float> weight, const DelayRange& range,
                     double quality_from, std::vector<double>& work) {
  const auto quality = quality_of(correlation, weight, work);
  if (!quality || *quality < units_of(quality_from)) return false;
  // The stretch that falls short by most (J. Bentley, Comm. ACM 27(9), 1984).
  const double most = kChanges * cost_of_choice(range);
  double short_by = 0;
  auto units = units_in_turn(correlation);
  auto expected = expected_in_turn(*quality, weight);
  for (const double w : weight) {
    short_by = std::max(0.0, short_by + kNatsPerUnit * w * (kExpected * expected.next() - units.next()));
    if (short_by > most) return false;
  }
  return true;
}

}  // namespace vqas::scoring
