#include "vqas/sampling/pattern.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace vqas {
namespace {

constexpr std::size_t kFewest = 5;  // below this, one normal sample in ten resembles any pattern
constexpr std::size_t kEnough = 10;

struct Critical {
  double n, value;
};

// 1 % quantiles over normal samples, 40,000 each.
constexpr std::array kTwoLevels{Critical{5, 0.0134},  Critical{6, 0.0302},  Critical{8, 0.0611}, Critical{10, 0.0916},
                                Critical{15, 0.1414}, Critical{20, 0.1689}, Critical{30, 0.20}};
constexpr std::array kNeumannShort{Critical{5, 0.540}, Critical{6, 0.563}, Critical{8, 0.670}, Critical{10, 0.748}};

template <std::size_t N>
double critical_value(const std::array<Critical, N>& table, double n) {
  for (std::size_t i = 1; i < N; ++i) {
    if (n > table[i].n) continue;
    const double part = (n - table[i - 1].n) / (table[i].n - table[i - 1].n);
    return std::lerp(table[i - 1].value, table[i].value, part);
  }
  return table.back().value;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares_around(std::span<const double> values, double mean) {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

/// Least share of the sum of squares that stays within the groups when the sorted values are cut in two.
double share_within_two(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double mean = mean_of(sorted);
  const double total = squares_around(sorted, mean);
  const auto count = static_cast<double>(sorted.size());
  double between = 0;
  double low = 0;
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    low += sorted[k - 1] - mean;
    const auto left = static_cast<double>(k);
    between = std::max(between, low * low * (1 / left + 1 / (count - left)));
  }
  return std::max(0.0, 1 - between / total);
}

double neumann_ratio(std::span<const double> values) {
  double steps = 0;
  for (std::size_t i = 1; i < values.size(); ++i) steps += std::pow(values[i] - values[i - 1], 2);
  return steps / squares_around(values, mean_of(values));
}

double neumann_critical(std::size_t count) {
  const auto n = static_cast<double>(count);
  if (count < kEnough) return critical_value(kNeumannShort, n);
  constexpr double kFivePercent = 1.6449;  // normal; the ratio's mean is 2, its variance 4 (n - 2)/(n² - 1)
  return 2 - 2 * kFivePercent * std::sqrt((n - 2) / (n * n - 1));
}

}  // namespace

SamplePattern recognise(std::span<const double> scores, double resolution) {
  SamplePattern pattern;
  if (scores.size() < 2) return pattern;
  const auto [lowest, highest] = std::ranges::minmax(scores);
  pattern.equal = highest - lowest <= 1.001 * resolution;
  if (pattern.equal || scores.size() < kFewest) return pattern;
  pattern.two_levels = share_within_two(scores) < critical_value(kTwoLevels, static_cast<double>(scores.size()));
  pattern.autocorrelated = neumann_ratio(scores) < neumann_critical(scores.size());
  return pattern;
}

std::string in_words(const SamplePattern& pattern) {
  std::string words;
  const auto add = [&words](bool holds, const char* text) {
    if (holds) words += (words.empty() ? "" : "; ") + std::string(text);
  };
  add(pattern.equal, "equal scores");
  add(pattern.two_levels, "scores on two levels");
  add(pattern.autocorrelated, "scores that depend on the previous one");
  return words;
}

}  // namespace vqas
