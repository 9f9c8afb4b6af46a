#pragma once

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>

#include "vqas/sampling/sampler.h"

namespace vqas::test {

/// Standard normal deviates by Box and Muller from raw 64-bit words: the same on every machine and with every library.
class Normal {
 public:
  explicit Normal(std::uint64_t seed) : words_(seed) {}

  double operator()() {
    if (kept_) {
      kept_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2 * std::log(unit()));
    const double angle = 2 * std::numbers::pi * unit();
    second_ = radius * std::sin(angle);
    kept_ = true;
    return radius * std::cos(angle);
  }

  /// Uniform in (0, 1).
  double unit() { return (static_cast<double>(words_() >> 11) + 0.5) * 0x1p-53; }

 private:
  std::mt19937_64 words_;
  double second_ = 0;
  bool kept_ = false;
};

struct Simulation {
  std::size_t runs = 0;
  std::size_t covered = 0;  ///< runs whose interval covers the true mean
  double counts = 0;        ///< of measurements, summed
  std::size_t of_ten = 0;   ///< runs of ten measurements and more
  std::size_t told = 0;     ///< of these, those recognised as not independent and normal

  double coverage() const { return static_cast<double>(covered) / static_cast<double>(runs); }
  double mean_count() const { return counts / static_cast<double>(runs); }
  /// One-sided 99 % bounds of the coverage (Clopper and Pearson, Biometrika 26, 1934).
  double lowest_coverage() const { return Binomial::find_lower_bound_on_p(count(runs), count(covered), 0.01); }
  double highest_coverage() const { return Binomial::find_upper_bound_on_p(count(runs), count(covered), 0.01); }

 private:
  using Binomial = boost::math::binomial_distribution<>;
  static double count(std::size_t n) { return static_cast<double>(n); }
};

/// Runs a sampler to its end repeatedly, each time over new scores. `prepare` is called before each run; the true mean
/// of `score` is `mean`.
inline Simulation simulate(const SamplerOptions& options, std::size_t runs, double mean,
                           const std::function<void()>& prepare, const std::function<double()>& score) {
  Simulation result;
  for (; result.runs < runs; ++result.runs) {
    prepare();
    Sampler sampler(options);
    while (!sampler.finished()) {
      for (std::size_t left = sampler.wanted(); left > 0; --left) sampler.add_score(score());
    }
    const Interval interval = sampler.interval();
    result.covered += std::abs(interval.mean - mean) <= interval.half_width ? 1 : 0;
    result.counts += static_cast<double>(interval.n);
    if (interval.n < kWidenedFirstCount) continue;
    ++result.of_ten;
    result.told += sampler.pattern().any() ? 1 : 0;
  }
  return result;
}

/// Independent normal scores with a deviation of `ratio` times the goal's half-width.
inline Simulation simulate_normal(const SamplerOptions& options, double ratio, std::size_t runs, std::uint64_t seed) {
  Normal normal(seed);
  const double deviation = ratio * options.goal.half_width;
  return simulate(
      options, runs, 3, [] {}, [&] { return 3 + deviation * normal(); });
}

/// The smallest count on the sampler's grid whose t interval would be narrow enough if the deviation were known.
inline std::size_t oracle_count(const SamplerOptions& options, double deviation) {
  std::size_t count = options.first_count;
  const auto width = [&] {
    const auto size = static_cast<double>(count);
    return two_sided_t(options.goal.confidence, size - 1) * deviation / std::sqrt(size);
  };
  while (width() > options.goal.half_width) count += options.step;
  return count;
}

inline SamplerOptions uncapped(double confidence, std::size_t step = 5) {
  SamplerOptions options;
  options.step = step;
  options.cap_count = 100'000;
  options.goal.confidence = confidence;
  return options;
}

}  // namespace vqas::test
