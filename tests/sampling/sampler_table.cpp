// Prints the table of libvqas/doc/record/sampling.md: coverage and cost of the sampler on simulated scores.
// usage: sampler_table [RUNS [SEED]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "sampling/simulation.h"

namespace {

void print_row(const vqas::SamplerOptions& options, double ratio, std::size_t runs, std::uint64_t seed) {
  const vqas::test::Simulation result = vqas::test::simulate_normal(options, ratio, runs, seed);
  const auto oracle = static_cast<double>(vqas::test::oracle_count(options, ratio * options.goal.half_width));
  std::printf("| %g %% | %zu | %zu | %g | %.2f (%.2f to %.2f) | %.2f | %.0f | %.3f |\n", 100 * options.goal.confidence,
              options.first_count, options.step, ratio, 100 * result.coverage(), 100 * result.lowest_coverage(),
              100 * result.highest_coverage(), result.mean_count(), oracle, result.mean_count() / oracle);
  std::fflush(stdout);
}

using Draw = std::function<double(vqas::test::Normal&)>;

/// Scores that are not independent and normal, with mean 0 and deviation 1 before scaling.
void print_other(const char* name, const Draw& draw, double ratio, std::size_t runs, std::uint64_t seed) {
  const vqas::SamplerOptions options = vqas::test::uncapped(0.99);
  vqas::test::Normal normal(seed);
  const vqas::test::Simulation result = vqas::test::simulate(
      options, runs, 3, [] {}, [&] { return 3 + ratio * options.goal.half_width * draw(normal); });
  std::printf("| %s | %g | %.2f (%.2f to %.2f) | %.2f | %.1f |\n", name, ratio, 100 * result.coverage(),
              100 * result.lowest_coverage(), 100 * result.highest_coverage(), result.mean_count(),
              100 * static_cast<double>(result.told) / static_cast<double>(std::max<std::size_t>(1, result.of_ten)));
  std::fflush(stdout);
}

void print_others(std::size_t runs, std::uint64_t seed) {
  std::printf(
      "\n| scores, 99 %% | σ/goal | coverage, %% (99 %% bounds) | mean count | recognised, %% of runs of 10 and more "
      "|\n");
  std::printf("|---|---|---|---|---|\n");
  for (const double ratio : {1.0, 2.0, 4.0}) {
    print_other(
        "normal", [](auto& n) { return n(); }, ratio, runs, seed);
    print_other(
        "bounded (uniform)", [](auto& n) { return (n.unit() - 0.5) * std::sqrt(12.0); }, ratio, runs, seed);
    print_other(
        "skewed (exponential)", [](auto& n) { return -std::log(n.unit()) - 1; }, ratio, runs, seed);
    print_other(
        "two levels, 50 %", [](auto& n) { return n.unit() < 0.5 ? -1.0 : 1.0; }, ratio, runs, seed);
    print_other(
        "two levels, 20 %", [](auto& n) { return n.unit() < 0.2 ? -2.0 : 0.5; }, ratio, runs, seed);
    print_other(
        "two levels, 50 %, each ±0.1 of their distance",
        [](auto& n) { return ((n.unit() < 0.5 ? -0.5 : 0.5) + 0.1 * n()) / std::sqrt(0.26); }, ratio, runs, seed);
    print_other(
        "two levels, 5 %", [](auto& n) { return n.unit() < 0.05 ? -std::sqrt(19.0) : std::sqrt(1 / 19.0); }, ratio,
        runs, seed);
    for (const double rho : {0.3, 0.6, 0.8}) {
      double last = 0;
      print_other(
          rho < 0.5   ? "AR(1), 0.3"
          : rho < 0.7 ? "AR(1), 0.6"
                      : "AR(1), 0.8",
          [&](auto& n) { return last = rho * last + std::sqrt(1 - rho * rho) * n(); }, ratio, runs, seed);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t runs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::printf("| confidence | first | step | σ/goal | coverage, %% (99 %% bounds) | mean count | oracle | ratio |\n");
  std::printf("|---|---|---|---|---|---|---|---|\n");
  for (const std::size_t step : {5, 1}) {
    for (const double confidence : {0.90, 0.95, 0.99}) {
      for (const double ratio : {0.3, 0.6, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0})
        print_row(vqas::test::uncapped(confidence, step), ratio, runs, seed);
    }
  }
  for (const std::size_t first : {2, 3, 10}) {
    for (const double confidence : {0.90, 0.99}) {
      vqas::SamplerOptions options = vqas::test::uncapped(confidence);
      options.first_count = first;
      for (const double ratio : {1.0, 2.0, 3.0}) print_row(options, ratio, runs, seed);
    }
  }
  print_others(runs, seed);
}
