#include "vqas/sampling/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>

namespace vqas {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// Variance of a difference of means, and the variance of that estimate.
struct Spread {
  double variance = 0, of_variance = 0;

  void add(const Interval& interval, double resolution) {
    const auto count = static_cast<double>(interval.n);
    if (interval.n < 2) {
      variance = kUnknown;
      return;
    }
    const double part = std::pow(interval.stopping_factor * effective_deviation(interval, resolution), 2) / count;
    variance += part;
    of_variance += part * part / (count - 1);
  }
  bool known() const { return std::isfinite(variance) && of_variance > 0; }
  double degrees() const { return variance * variance / of_variance; }
  double half_width(double confidence) const {
    return known() ? two_sided_t(confidence, degrees()) * std::sqrt(variance) : kUnknown;
  }
};

const NamedInterval* find(const ComparedChannel& channel, const std::string& stimulus) {
  const auto found = std::ranges::find(channel.stimuli, stimulus, &NamedInterval::stimulus);
  return found == channel.stimuli.end() || found->interval.n == 0 ? nullptr : &*found;
}

double all_of(std::size_t count, double confidence) {
  return 1 - (1 - confidence) / static_cast<double>(std::max<std::size_t>(1, count));
}

Comparison compare_pair(const ComparedChannel& first, const ComparedChannel& second, std::size_t pairs,
                        double confidence, double resolution) {
  Comparison result;
  result.first = first.name;
  result.second = second.name;
  result.confidence = confidence;
  result.first_unscored = first.share_unscored;
  result.second_unscored = second.share_unscored;
  result.first_bound = first.bound;
  result.second_bound = second.bound;
  result.conditional = first.conditional || second.conditional;
  std::vector<Spread> spreads;
  Spread whole;
  for (const NamedInterval& one : first.stimuli) {
    const NamedInterval* other = find(second, one.stimulus);
    if (one.interval.n == 0 && other == nullptr) continue;
    if (one.interval.n == 0 || other == nullptr) {
      result.omitted.push_back(one.stimulus);
      continue;
    }
    Spread spread;
    for (const Interval& side : {one.interval, other->interval}) {
      spread.add(side, resolution);
      whole.add(side, resolution);
    }
    spreads.push_back(spread);
    result.stimuli.push_back({one.stimulus, other->interval.mean - one.interval.mean, 0, 0});
  }
  for (const NamedInterval& one : second.stimuli) {
    if (one.interval.n > 0 && find(first, one.stimulus) == nullptr &&
        std::ranges::find(result.omitted, one.stimulus) == result.omitted.end())
      result.omitted.push_back(one.stimulus);
  }
  const auto count = static_cast<double>(result.stimuli.size());
  for (std::size_t i = 0; i < result.stimuli.size(); ++i) {
    result.stimuli[i].half_width = spreads[i].half_width(confidence);
    result.stimuli[i].simultaneous = spreads[i].half_width(all_of(spreads.size(), confidence));
    result.difference += result.stimuli[i].difference / count;
  }
  result.half_width = result.simultaneous = kUnknown;
  if (!whole.known()) return result;
  result.degrees = whole.degrees();
  result.half_width = whole.half_width(confidence) / count;
  result.simultaneous = whole.half_width(all_of(pairs, confidence)) / count;
  const boost::math::students_t_distribution<double> distribution(result.degrees);
  const double t = std::abs(result.difference) * count / std::sqrt(whole.variance);
  result.probability = 2 * boost::math::cdf(boost::math::complement(distribution, t));
  return result;
}

void adjust(std::vector<Comparison>& comparisons) {
  std::vector<Comparison*> order;
  for (Comparison& one : comparisons) order.push_back(&one);
  std::ranges::stable_sort(order, {}, &Comparison::probability);
  double least = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    least = std::max(least, order[i]->probability * static_cast<double>(order.size() - i));
    order[i]->adjusted = std::min(1.0, least);
  }
}

}  // namespace

Comparability Comparison::comparability() const {
  if (stimuli.empty()) return Comparability::no_common_stimulus;
  return std::isfinite(half_width) ? Comparability::full : Comparability::too_few_scores;
}

Result<std::vector<Comparison>> compare(std::span<const ComparedChannel> channels, double confidence,
                                        double resolution) {
  const auto bad = [](std::string message) { return Error{ErrorCode::bad_input, std::move(message)}; };
  if (channels.size() < 2) return bad("a comparison needs at least two channels");
  if (!(confidence >= 0.5) || !(confidence <= 0.9999))
    return bad(fmt::format("the confidence is {}; it must lie within 0.5 and 0.9999", confidence));
  std::vector<Comparison> comparisons;
  const std::size_t pairs = channels.size() * (channels.size() - 1) / 2;
  for (std::size_t i = 0; i < channels.size(); ++i) {
    for (std::size_t k = i + 1; k < channels.size(); ++k) {
      if (channels[i].name == channels[k].name)
        return bad(fmt::format("two channels have the name \"{}\"; give each its own name", channels[i].name));
      comparisons.push_back(compare_pair(channels[i], channels[k], pairs, confidence, resolution));
    }
  }
  adjust(comparisons);
  return comparisons;
}

}  // namespace vqas
