#include "score/align/evidence.h"

#include <algorithm>
#include <cmath>

namespace vqas::scoring {
namespace {

// Independent values in a frame of speech, by hand: a telephone band of 32 ms has 200, which the voice's few harmonics
// make a tenth. Half of each is told once, because frames overlap by a half; so 10 values say 10/2/2 nats per unit.
constexpr double kNatsPerUnit = 5;
// One frame of the same waveform says no more than this, r 0.99: nothing is that well known of its place.
constexpr double kMostUnits = 4;
constexpr int kSameDelay = 4;  // samples: what drift and rounding move

}  // namespace

double evidence_of(const Alignment& alignment, const DelayRange& range) {
  const double choice = std::log(std::max(2, range.highest - range.lowest + 1));
  double evidence = -choice;
  for (std::size_t j = 0; j < alignment.delay.size(); ++j) {
    const double r = std::clamp(static_cast<double>(alignment.correlation[j]), 0.0, 1.0);
    const double units = std::min(kMostUnits, -std::log1p(-std::min(r * r, 1 - 1e-9)));
    evidence += kNatsPerUnit * alignment.weight[j] * units;
    if (j > 0 && std::abs(alignment.delay[j] - alignment.delay[j - 1]) > kSameDelay) evidence -= choice;
  }
  return evidence;
}

}  // namespace vqas::scoring
