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
// One frame of the same waveform says no more than this, r 0.99: nothing is that well known of its place.
constexpr double kMostUnits = 4;

// Loud frames tell the line's quality, the best tenth of them: most may lie at another delay.
constexpr double kBestTenth = 0.9;  // share of the frames that are worse
// Of what can be expected: so much must be there. Searched on the calibration's pairs with the next two.
constexpr double kExpected = 0.45;
// The same of a frame of a path, where each may be better or worse than the others.
constexpr double kPathExpected = 0.2;
constexpr double kMostExpected = 3;  // r 0.97: a fraction of a sample or a filter takes as much

const auto kMostShared = static_cast<float>(-std::expm1(-kMostUnits));  // r^2 of the most units

/// The units of frames that follow each other: logarithms are taken of several at once.
class UnitsInTurn {
 public:
  explicit UnitsInTurn(std::span<const float> correlation) : correlation_(correlation) {}
  double next() {
    if (at_ % kAtOnce == 0) {
      const std::size_t count = std::min(kAtOnce, correlation_.size() - at_);
      shared_logarithms(correlation_.subspan(at_, count), kMostShared, std::span(units_).first(count));
    }
    return units_[at_++ % kAtOnce];
  }

 private:
  static constexpr std::size_t kAtOnce = 64;  // not tuned
  std::span<const float> correlation_;
  std::size_t at_ = 0;
  std::array<float, kAtOnce> units_;
};

/// What can be expected of frames that follow each other, of these weights: noise is the same in quiet frames.
class ExpectedInTurn {
 public:
  ExpectedInTurn(double quality, std::span<const float> weight)
      : above_noise_(static_cast<float>(std::expm1(quality))), weight_(weight) {}
  double next() {
    if (at_ % kAtOnce == 0) {
      const std::size_t count = std::min(kAtOnce, weight_.size() - at_);
      logarithms_above_one(weight_.subspan(at_, count), above_noise_, std::span(units_).first(count));
    }
    return units_[at_++ % kAtOnce];
  }

 private:
  static constexpr std::size_t kAtOnce = 64;  // not tuned
  float above_noise_;
  std::span<const float> weight_;
  std::size_t at_ = 0;
  std::array<float, kAtOnce> units_;
};

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
  UnitsInTurn units(correlation);
  for (const float w : weight) {
    const double here = units.next();
    if (w >= kLoudWeight) work.push_back(here);
  }
  if (work.empty()) return std::nullopt;
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
  ExpectedInTurn expected(quality, weight);
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

double expected_evidence(std::span<const float> weight, double quality) {
  double sum = 0;
  ExpectedInTurn expected(quality, weight);
  for (const double w : weight) sum += kNatsPerUnit * w * (1 - kPathExpected) * expected.next();
  return sum;
}

double evidence_of(const Alignment& alignment, const DelayRange& range) {
  const double choice = cost_of_choice(range);
  // Of a filter each value costs half the logarithm of what it was told from (G. Schwarz, Ann. Statist. 6(2), 1978).
  const double frames = std::max<double>(1, static_cast<double>(alignment.delay.size()));
  double evidence = -choice - 0.5 * alignment.taps * std::log(frames);
  UnitsInTurn units(alignment.correlation);
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
  UnitsInTurn units(correlation);
  ExpectedInTurn expected(*quality, weight);
  for (const double w : weight) {
    short_by = std::max(0.0, short_by + kNatsPerUnit * w * (kExpected * expected.next() - units.next()));
    if (short_by > most) return false;
  }
  return true;
}

}  // namespace vqas::scoring
