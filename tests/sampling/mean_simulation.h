#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "sampling/simulation.h"
#include "vqas/sampling/mean_sampler.h"

namespace vqas::test {

/// Score of a stimulus, less its true mean, in units of its deviation; the next of the line, whatever the stimulus.
using NextScore = std::function<double(Normal&)>;

/// How the stimuli of a line differ, by name; their mean deviation is 1. "equal"; "spread": 0.5 to 1.5 in even steps;
/// "wide": a factor of 16 from the least to the largest, in even ratios; "half": every second one ten times the others;
/// "one": the first ten times the others.
inline std::vector<double> deviations(const std::string& name, std::size_t stimuli) {
  std::vector<double> all;
  for (std::size_t i = 0; i < stimuli; ++i) {
    const auto place = static_cast<double>(i);
    if (name == "spread") {
      all.push_back(0.5 + 0.2 * static_cast<double>(i % 6));
    } else if (name == "wide") {
      all.push_back(std::pow(16.0, place / std::max(1.0, static_cast<double>(stimuli) - 1)));
    } else if (name == "half") {
      all.push_back(i % 2 == 0 ? 0.1 : 1);
    } else {
      all.push_back(name == "one" && i > 0 ? 0.1 : 1);
    }
  }
  double mean = 0;
  for (const double one : all) mean += one / static_cast<double>(stimuli);
  for (double& one : all) one /= mean;
  return all;
}

/// Mean deviation at which `size` measurements, allocated by Neyman with known deviations, would reach the goal.
inline double deviation_for(const PrecisionGoal& goal, double size) {
  return goal.half_width * std::sqrt(size) / two_sided_t(goal.confidence, std::numeric_limits<double>::infinity());
}

/// How an oracle that knows the deviations shares out measurements: equal counts, or each one where it narrows the mean
/// most (Neyman's allocation).
enum class Shares { equal, neyman };

/// The least count in all, each stimulus `first_count` at least, whose t interval (Satterthwaite) would be narrow
/// enough if the deviations were known.
inline std::size_t mean_oracle(const PrecisionGoal& goal, const std::vector<double>& deviations,
                               std::size_t first_count, Shares shares = Shares::equal) {
  std::vector<double> counts(deviations.size(), static_cast<double>(first_count));
  for (std::size_t all = deviations.size() * first_count;; ++all) {
    double variance = 0, of_variance = 0, most = -1;
    std::size_t best = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double part = deviations[i] * deviations[i] / counts[i];
      variance += part;
      of_variance += part * part / (counts[i] - 1);
      const double gain = shares == Shares::neyman ? part / (counts[i] + 1) : 1 / counts[i];
      if (gain > most) {
        most = gain;
        best = i;
      }
    }
    const double root = std::sqrt(variance) / static_cast<double>(counts.size());
    if (root * two_sided_t(goal.confidence, std::numeric_limits<double>::infinity()) <= goal.half_width &&
        root * two_sided_t(goal.confidence, variance * variance / of_variance) <= goal.half_width)
      return all;
    ++counts[best];
  }
}

struct MeanLine {
  SamplerOptions options;
  std::vector<double> deviations;  ///< of each stimulus, MOS; the true mean of stimulus i is 2 + i/10
  NextScore score = [](Normal& normal) { return normal(); };
  bool tells = false;     ///< also whether the scores depend on each other, which takes time
  bool in_rounds = true;  ///< all that is wanted up to the next look at once, in random order; else one by one
};

/// One run to its end. The scores of a round come in random order, as on a line.
inline MeanSampler run_once(const MeanLine& line, Normal& normal) {
  MeanSampler sampler(line.options, line.deviations.size());
  while (!sampler.finished()) {
    std::vector<std::size_t> order = sampler.next(line.in_rounds ? sampler.wanted() : 1);
    for (std::size_t left = order.size(); left > 1; --left)
      std::swap(order[left - 1], order[static_cast<std::size_t>(normal.unit() * static_cast<double>(left))]);
    for (const std::size_t i : order)
      sampler.add_score(i, 2 + static_cast<double>(i) / 10 + line.deviations[i] * line.score(normal));
  }
  return sampler;
}

/// By how much a mean misses the true one of its line.
inline double error_of(const StratifiedMean& mean) {
  return mean.mean - (2 + (static_cast<double>(mean.strata) - 1) / 20);
}

struct MeanSimulation : Simulation {
  double half_widths = 0;   ///< summed
  std::size_t reached = 0;  ///< runs that ended by the goal
};

inline MeanSimulation simulate_mean(const MeanLine& line, std::size_t runs, std::uint64_t seed) {
  MeanSimulation result;
  Normal normal(seed);
  for (; result.runs < runs; ++result.runs) {
    const MeanSampler sampler = run_once(line, normal);
    const StratifiedMean mean = sampler.mean();
    result.covered += std::abs(error_of(mean)) <= mean.half_width ? 1 : 0;
    result.counts += static_cast<double>(sampler.scored());
    result.half_widths += mean.half_width;
    result.reached += sampler.stopped_because() == StopReason::goal ? 1 : 0;
    result.told += line.tells && sampler.autocorrelated() ? 1 : 0;
  }
  return result;
}

inline MeanLine mean_line(const std::string& profile, std::size_t stimuli, double confidence, double size,
                          std::size_t first_count = 5) {
  MeanLine line{.options = uncapped(confidence), .deviations = deviations(profile, stimuli)};
  line.options.first_count = first_count;
  const double scale = deviation_for(line.options.goal, size);
  for (double& one : line.deviations) one *= scale;
  return line;
}

}  // namespace vqas::test
