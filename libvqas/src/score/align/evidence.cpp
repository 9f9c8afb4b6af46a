#include "score/align/evidence.h"

#include <algorithm>
#include <cmath>

#include "score/model/shared_numbers.h"

namespace vqas::scoring {
namespace {

// By hand: 32 ms of a telephone band hold 200 independent values, of which a voice's few harmonics leave a tenth. Each
// of those 20 tells half of -log(1 - r^2), and frames overlap by a half.
constexpr double kNatsPerUnit = 5;
// One frame of the same waveform says no more than this, r 0.99: nothing is that well known of its place.
constexpr double kMostUnits = 4;

// What a frame shares with the reference, nats: the larger, the less noise. 0 of an inverted waveform.
double units_of(double correlation) {
  const double r = std::clamp(correlation, 0.0, 1.0);
  return std::min(kMostUnits, -std::log1p(-std::min(r * r, 1 - 1e-9)));
}

double cost_of_change(const DelayRange& range) {
  return std::log(std::max(2, range.highest - range.lowest + 1));
}

// Loud frames tell the line's quality, the best tenth of them: most may lie at another delay.
constexpr double kLoudWeight = 0.7;  // of the mean amplitude, -3 dB
constexpr double kBestTenth = 0.9;   // share of the frames that are worse
// Of what can be expected: so much must be there. Searched on the calibration's pairs with the next two.
constexpr double kExpected = 0.45;
constexpr double kMostExpected = 3;  // r 0.97: a fraction of a sample or a filter takes as much
constexpr int kChanges = 3;          // of the delay: away, back, and one for what is uncertain in all this

}  // namespace

double evidence_of(const Alignment& alignment, const DelayRange& range) {
  const double choice = cost_of_change(range);
  double evidence = -choice;
  for (std::size_t j = 0; j < alignment.delay.size(); ++j) {
    evidence += kNatsPerUnit * alignment.weight[j] * units_of(alignment.correlation[j]);
    if (j > 0 && std::abs(alignment.delay[j] - alignment.delay[j - 1]) > kSameDelay) evidence -= choice;
  }
  return evidence;
}

bool one_delay_holds(std::span<const float> correlation, std::span<const float> weight, const DelayRange& range,
                     double quality_from, std::vector<double>& work) {
  work.clear();
  for (std::size_t j = 0; j < correlation.size(); ++j)
    if (weight[j] >= kLoudWeight) work.push_back(units_of(correlation[j]));
  if (work.empty()) return false;
  const auto best = work.begin() + static_cast<std::ptrdiff_t>(kBestTenth * static_cast<double>(work.size() - 1));
  std::nth_element(work.begin(), best, work.end());
  const double quality = std::min(kMostExpected, *best);
  if (quality < units_of(quality_from)) return false;
  // The stretch that falls short by most (J. Bentley, Comm. ACM 27(9), 1984).
  const double most = kChanges * cost_of_change(range);
  double short_by = 0;
  for (std::size_t j = 0; j < correlation.size(); ++j) {
    const double w = weight[j];
    // Noise is the same in quiet frames: less can be expected of them.
    const double expected = std::log1p(std::expm1(quality) * w * w);
    short_by = std::max(0.0, short_by + kNatsPerUnit * w * (kExpected * expected - units_of(correlation[j])));
    if (short_by > most) return false;
  }
  return true;
}

}  // namespace vqas::scoring
