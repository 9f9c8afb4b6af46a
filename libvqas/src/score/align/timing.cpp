#include "score/align/timing.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"
#include "vqas/signal/median.h"

namespace vqas::scoring {
namespace {

constexpr int kSearch = 8;                  // samples either side of the track
constexpr double kLeastCorrelation = 0.35;  // by hand: of a block that tells a place
constexpr double kStandsOut = 20;           // times its error: coarse, but far from nothing
constexpr double kCoarsestErrorPpm = 300;   // of a drift that is worth a correction
// Between many steps few blocks speak for a slope, and say of it what chance lets them: it is told where twice its
// error is below 5 ppm.
constexpr int kManyGroups = 3;
constexpr double kPreciseSteppedPpm = 2.5;
// Samples. Measured on 20 recordings: without a filter blocks scatter by 0.02 to 0.09 up to BER 1e-2, and by 0.1 in one
// of them in noise at 0 dB; behind a high-pass, a band-pass or a tilt that move the drift by 5 ppm, by 0.2 to 2.
constexpr double kDispersed = 0.1;
constexpr double kSettled = 1e-7;       // not tuned: change of the slope, 0.1 ppm
constexpr int kFits = 8;                // not tuned: rounds of the robust fit, and of the equaliser, at most
constexpr double kBiweight = 4.685;     // not tuned: 95 % efficiency for normal residuals (Holland and Welsch 1977)
constexpr double kMadToSigma = 1.4826;  // not tuned: of normal residuals

// Peak of a parabola through three values, relative to the middle one.
double parabola_peak(double before, double middle, double after) {
  const double curvature = before - 2 * middle + after;
  return curvature < 0 ? std::clamp(0.5 * (before - after) / curvature, -0.5, 0.5) : 0.0;
}

}  // namespace

void TimingFit::collect(const Alignment& alignment, const BlockCorrelator& blocks, const PaddedSignal& degraded) {
  points_.clear();
  const int frames = static_cast<int>(alignment.delay.size());
  const int step = model_.block / model_.hop;
  lags_.resize(2 * kSearch + 1);
  int group = 0;
  for (int block = 0; block < blocks.blocks(); ++block) {
    const int first = block * step;
    const int last = std::min(frames, first + step);
    if (first >= last) break;
    bool steady = true;
    for (int j = std::max(1, first); j < last; ++j) {
      if (std::abs(alignment.delay[j] - alignment.delay[j - 1]) <= kJumpFrom) continue;
      ++group;
      steady = steady && j == first;
    }
    if (!steady || blocks.energy(block) <= 0) continue;
    const int delay = alignment.delay[(first + last) / 2];
    sliding_products(blocks.samples(block),
                     degraded.at(block * model_.block + delay - kSearch, model_.block + 2 * kSearch), model_.block,
                     lags_);
    const auto peak = std::max_element(lags_.begin(), lags_.end());
    const int offset = static_cast<int>(peak - lags_.begin()) - kSearch;
    if (std::abs(offset) == kSearch) continue;
    const double energy = blocks.energy(block) * blocks.block_energy(block, delay + offset, degraded);
    const double correlation = *peak / std::sqrt(energy + 1e-20);
    if (correlation < kLeastCorrelation) continue;
    const double c2 = std::min(1.0, correlation * correlation);
    // The variance of a delay goes with the noise's share of the power over the speech's; 0.02 keeps
    // one clean block from outweighing all others.
    points_.push_back({(block + 0.5) * model_.block, delay + offset + parabola_peak(peak[-1], peak[0], peak[1]),
                       c2 / (1.02 - c2), group, block, delay});
  }
}

TimingFit::Line TimingFit::fit(bool in_groups) {
  robust_.assign(points_.size(), 1.0);
  residual_.resize(points_.size());
  const auto same = [&](const Point& a, const Point& b) { return !in_groups || a.group == b.group; };
  Line line;
  for (int round = 0; round < kFits; ++round) {
    double sxx = 0;
    double sxy = 0;
    int groups = 0;
    const auto each_group = [&](const auto& action) {
      for (std::size_t first = 0; first < points_.size();) {
        std::size_t last = first + 1;
        while (last < points_.size() && same(points_[first], points_[last])) ++last;
        double w = 1e-12;
        double t = 0;
        double d = 0;
        for (std::size_t n = first; n < last; ++n) {
          const double weight = points_[n].weight * robust_[n];
          w += weight;
          t += weight * points_[n].time;
          d += weight * points_[n].delay;
        }
        action(first, last, t / w, d / w);
        first = last;
      }
    };
    each_group([&](std::size_t first, std::size_t last, double t, double d) {
      ++groups;
      for (std::size_t n = first; n < last; ++n) {
        const double weight = points_[n].weight * robust_[n];
        sxx += weight * (points_[n].time - t) * (points_[n].time - t);
        sxy += weight * (points_[n].time - t) * (points_[n].delay - d);
      }
    });
    line.groups = groups;
    line.slope = sxx > 0 ? sxy / sxx : 0.0;
    each_group([&](std::size_t first, std::size_t last, double t, double d) {
      for (std::size_t n = first; n < last; ++n) {
        residual_[n] = points_[n].delay - d - line.slope * (points_[n].time - t);
      }
    });
    sorted_.clear();
    for (const double residual : residual_) sorted_.push_back(std::abs(residual));
    line.scatter = std::max(0.02, kMadToSigma * upper_median(sorted_));
    double kept = 0;
    double noise = 0;
    for (std::size_t n = 0; n < points_.size(); ++n) {
      const double u = residual_[n] / (kBiweight * line.scatter);
      robust_[n] = std::abs(u) < 1 ? (1 - u * u) * (1 - u * u) : 0.0;
      kept += std::abs(u) < 1 ? 1.0 : 0.0;
      noise += points_[n].weight * robust_[n] * residual_[n] * residual_[n];
    }
    const double degrees = std::max(1.0, kept - groups - 1);
    line.error = sxx > 0 ? std::sqrt(std::max(noise / degrees, 1e-6) / sxx) : 1.0;
    // Between two steps the blocks err together: the segments' own slopes tell by how much (the cluster-robust
    // variance of K.-Y. Liang and S. Zeger, Biometrika 73, 1986).
    if (groups > 1 && sxx > 0) {
      double apart = 0;
      each_group([&](std::size_t first, std::size_t last, double t, double) {
        double sum = 0;
        for (std::size_t n = first; n < last; ++n) {
          sum += points_[n].weight * robust_[n] * residual_[n] * (points_[n].time - t);
        }
        apart += sum * sum;
      });
      line.error = std::max(line.error, std::sqrt(apart * groups / (groups - 1)) / sxx);
    }
  }
  return line;
}

// The line's phase and the delays by turns: each needs the other. First as if all blocks lay on the track: where one
// delay fits they do, however far from it a filter lets each of them peak.
TimingFit::Line TimingFit::fit_equalised(bool in_groups) {
  expected_.assign(points_.size(), 0);
  rest_.resize(points_.size());
  Line line;
  for (int round = 0; round < kFits; ++round) {
    equaliser_.measure(expected_, rest_);
    for (std::size_t n = 0; n < points_.size(); ++n) points_[n].delay = points_[n].track + expected_[n] + rest_[n];
    const Line before = std::exchange(line, fit(in_groups));
    // What comes no closer together has no line.
    const bool is_no_line = line.scatter > kDispersed && line.scatter >= before.scatter;
    if (round > 0 && (is_no_line || std::abs(line.slope - before.slope) < kSettled)) break;
    for (std::size_t n = 0; n < points_.size(); ++n) expected_[n] = points_[n].delay - residual_[n] - points_[n].track;
  }
  return line;
}

std::optional<TimingFit::Line> TimingFit::fit_dispersed(const BlockCorrelator& blocks, const PaddedSignal& degraded) {
  const std::vector<Point> measured = points_;
  const bool is_stepped = points_.front().group != points_.back().group;
  equaliser_.clear();
  for (const Point& point : points_) {
    equaliser_.add(blocks.samples(point.block), degraded.at(point.block * model_.block + point.track, model_.block),
                   point.weight);
  }
  // A filter makes the track step between sounds: most often one line is behind them all.
  for (const bool in_groups : {false, true}) {
    if (in_groups && !is_stepped) break;
    const Line line = fit_equalised(in_groups);
    if (line.scatter <= kDispersed) return line;
  }
  points_ = measured;
  return std::nullopt;
}

void TimingFit::measure_drift(const BlockCorrelator& blocks, const PaddedSignal& degraded, Timing& timing) {
  if (std::ssize(points_) < kFewest) return;
  if (points_.back().time - points_.front().time < kShortestS * model_.rate_hz) return;
  bool is_dispersed = false;
  // A fast drift moves the delay by more than a jump between words: then one line through everything tells more.
  for (const bool in_groups : {true, false}) {
    Line line = fit(in_groups);
    if (in_groups && line.scatter > kDispersed) {
      const auto equalised = fit_dispersed(blocks, degraded);
      is_dispersed = !equalised;
      if (equalised) line = *equalised;
    }
    double error_ppm = line.error * 1e6;
    // The residuals of blocks behind a filter are no errors by chance: what they say may be tried, but not told.
    if (is_dispersed) error_ppm = std::max(error_ppm, Timing::kPreciseDriftPpm);
    const bool precise = error_ppm < Timing::kPreciseDriftPpm;
    const bool stands_out =
        !in_groups && std::abs(line.slope) > kStandsOut * line.error && error_ppm < kCoarsestErrorPpm;
    if ((!precise && !stands_out) || std::abs(line.slope) > kLargestDriftPpm * 1e-6) continue;
    const bool is_stepped = in_groups && line.groups >= kManyGroups;
    if (is_stepped && error_ppm > kPreciseSteppedPpm) error_ppm = std::max(error_ppm, Timing::kPreciseDriftPpm);
    timing.clock_drift_ppm = line.slope * 1e6;
    timing.drift_error_ppm = error_ppm;
    return;
  }
}

Timing TimingFit::run(const Alignment& alignment, const BlockCorrelator& blocks, const PaddedSignal& degraded) {
  Timing timing;
  sorted_.clear();
  for (std::size_t j = 0; j < alignment.delay.size(); ++j) {
    if (alignment.weight[j] > model_.pause_weight && alignment.correlation[j] > kLeastCorrelation) {
      sorted_.push_back(alignment.delay[j]);
    }
  }
  if (sorted_.empty()) sorted_.assign(alignment.delay.begin(), alignment.delay.end());
  timing.delay = upper_median(sorted_);

  collect(alignment, blocks, degraded);
  sorted_.clear();
  for (const Point& point : points_) {
    if (std::abs(point.delay - timing.delay) <= 1.5) sorted_.push_back(point.delay);
  }
  if (!sorted_.empty()) timing.delay = upper_median(sorted_);
  measure_drift(blocks, degraded, timing);
  return timing;
}

}  // namespace vqas::scoring
