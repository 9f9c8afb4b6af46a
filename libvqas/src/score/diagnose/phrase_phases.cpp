#include "score/diagnose/phrase_phases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "score/dsp/kernels.h"
#include "score/model/shared_numbers.h"
#include "signal/windowed_sinc.h"

namespace vqas::scoring {
namespace {

constexpr double kFarthest = 0.5;  // not tuned: samples; beyond, the next one is nearer
constexpr int kReach = 16;         // samples of the interpolation on either side

using Taps = std::array<float, 2 * kReach>;

// Weights of the samples -kReach+1..kReach for a position `part` of a sample behind the middle one: a windowed sinc.
Taps taps_for(double part) {
  Taps taps{};
  for (int k = 0; k < 2 * kReach; ++k) {
    taps[static_cast<std::size_t>(k)] = static_cast<float>(windowed_sinc(part - (k - kReach + 1), kReach));
  }
  return taps;
}

}  // namespace

bool PhrasePhases::find(const StepPowers& steps) {
  phrases_.clear();
  int quiet = kTwoPackets;
  for (int step = 0; step < steps.count(); ++step) {
    if (steps.active()[step] == 0) {
      ++quiet;
      continue;
    }
    if (quiet >= kTwoPackets) phrases_.push_back({step, step, 0});
    phrases_.back().last = step + 1;
    quiet = 0;
  }
  return phrases_.size() > 1;
}

// y = g·p + h·p' by least squares, p' half the difference of the neighbours: displaced by h/g.
double PhrasePhases::measure(const StepPowers& steps) {
  double explained = 0;
  for (Phrase& phrase : phrases_) {
    SharedPower sum;
    for (int step = phrase.first; step < phrase.last; ++step) sum.add(steps.shared()[step]);
    const double pd = (sum.bc - sum.ab) / 2;
    const double dd = (sum.aa + sum.cc - 2 * sum.ac) / 4;
    const double dy = (sum.yc - sum.ya) / 2;
    const double g = sum.yb * dd - dy * pd;
    const double h = dy * sum.bb - sum.yb * pd;
    if (!(g > kTiny)) continue;
    phrase.displaced = std::clamp(h / g, -kFarthest, kFarthest);
    explained += phrase.displaced * (2 * (dy - pd) - phrase.displaced * dd);
  }
  return explained;
}

void PhrasePhases::put_back(std::span<const float> received, std::vector<float>& result) const {
  const auto size = static_cast<int>(received.size());
  result.resize(received.size());
  int n = 0;
  for (std::size_t k = 0; k < phrases_.size(); ++k) {
    const bool last = k + 1 == phrases_.size();
    const int end = last ? size : (phrases_[k].last + phrases_[k + 1].first) / 2 * kStep;
    const int whole = static_cast<int>(std::floor(-phrases_[k].displaced));
    const Taps taps = taps_for(-phrases_[k].displaced - whole);
    // Where all taps and what is read behind them lie within the recording, many samples at once.
    const int inner_first = std::clamp(kReach - 1 - whole, n, end);
    const int inner_end =
        std::clamp(size - whole - kReach - static_cast<int>(kFilteredAtOnce), inner_first, std::max(inner_first, end));
    for (; n < end; ++n) {
      if (n == inner_first && inner_end > inner_first) {
        filter_samples(received.data() + n + whole - kReach + 1, taps,
                       std::span(result).subspan(static_cast<std::size_t>(n), static_cast<std::size_t>(inner_end - n)));
        n = inner_end - 1;
        continue;
      }
      const int from = n + whole - kReach + 1;
      float sum = 0;
      for (int tap = std::max(0, -from); tap < std::min(2 * kReach, size - from); ++tap) {
        sum += taps[tap] * received[from + tap];
      }
      result[static_cast<std::size_t>(n)] = sum;
    }
  }
}

}  // namespace vqas::scoring
