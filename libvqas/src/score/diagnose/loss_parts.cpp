#include "score/diagnose/loss_parts.h"

#include <algorithm>
#include <cmath>

namespace vqas::scoring {
namespace {

// Results have two digits.
double in_hundredths(double mos) {
  return std::round(100 * mos) / 100 + 0.0;
}

}  // namespace

std::vector<LossPart> loss_parts(const PairDistances& pair, std::span<const TakenOut> taken_out,
                                 const MosScale& scale) {
  const auto gain = [&](double from, double to) { return std::max(0.0, scale.mos_of(to) - scale.mos_of(from)); };
  const double loss = in_hundredths(gain(pair.scored, 0));
  double left = loss;
  std::vector<LossPart> parts;
  const auto add = [&](Impairment impairment, double mos) {
    const double part = std::min(in_hundredths(mos), left);
    if (part <= 0) return;
    parts.push_back({impairment, part});
    left = in_hundredths(left - part);
  };
  double weights = 0;
  const auto weight_of = [&](const TakenOut& one) {
    if (one.impairment == Impairment::delay_variation) return 0.0;
    return one.own * (gain(pair.laid_out, one.without_it) + gain(one.only_it, pair.mended)) / 2;
  };
  for (const TakenOut& one : taken_out) {
    weights += weight_of(one);
    if (one.impairment == Impairment::delay_variation) add(one.impairment, gain(pair.scored, pair.laid_out));
  }
  const double mended = std::min(left, gain(pair.laid_out, pair.mended));
  for (const TakenOut& one : taken_out) {
    if (weights > 0) add(one.impairment, mended * weight_of(one) / weights);
  }
  std::stable_sort(parts.begin(), parts.end(), [](const LossPart& a, const LossPart& b) { return a.mos > b.mos; });
  if (left > 0) parts.push_back({std::nullopt, left});
  return parts;
}

}  // namespace vqas::scoring
