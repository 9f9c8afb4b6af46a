// Prints the tables of libvqas/doc/record/trends.md. usage: trend_table SERIES
#include <fmt/format.h>

#include <boost/math/distributions/binomial.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>

#include "trend/planted_circuit.h"
#include "trend/simulated_runs.h"
#include "vqas/trend/change_points.h"

namespace {

using namespace vqas;

void print_false_alarms(int series) {
  std::cout << "| runs alike | runs | series with a change, % (99 % bound) | changes a series | inflation |\n"
               "|---|---|---|---|---|\n";
  for (const double likeness : {0.0, 0.3, 0.6, 0.8, 0.9, 0.95}) {
    for (const std::size_t runs : {24U, 50U, 100U, 300U, 1000U, 3000U}) {
      const int trials = runs > 300 ? std::max(1, series / 5) : series;
      int alarms = 0;
      std::size_t changes = 0;
      double inflation = 0;
      for (int seed = 0; seed < trials; ++seed) {
        const auto found =
            find_changes(test::simulated_runs({.likeness = likeness}, runs, static_cast<std::uint64_t>(seed)));
        alarms += found.changes.empty() ? 0 : 1;
        changes += found.changes.size();
        inflation += found.inflation / trials;
      }
      const double bound =
          alarms == trials ? 1 : boost::math::binomial_distribution<>::find_upper_bound_on_p(trials, alarms, 0.01);
      std::cout << fmt::format("| {} | {} | {:.2f} ({:.2f}) | {:.3f} | {:.1f} |\n", likeness, runs,
                               100.0 * alarms / trials, 100 * bound, static_cast<double>(changes) / trials, inflation);
    }
  }
}

void print_found(int series) {
  std::cout << "\n| runs before | step, MOS | 3 | 4 | 6 | 8 | 12 | 16 | 24 runs after "
               "|\n|---|---|---|---|---|---|---|---|---|\n";
  for (const std::size_t before : {48U, 168U, 672U}) {
    for (const double step : {-0.2, -0.3, -0.5}) {
      std::cout << fmt::format("| {} | {} |", before, step);
      for (const std::size_t after : {3U, 4U, 6U, 8U, 12U, 16U, 24U}) {
        int found = 0;
        for (int seed = 0; seed < series; ++seed) {
          const auto search = find_changes(
              test::simulated_runs({.step = step, .from = before}, before + after, static_cast<std::uint64_t>(seed)));
          for (const ChangePoint& one : search.changes) {
            if (one.at + 3 < before || one.at > before + 3) continue;
            ++found;
            break;
          }
        }
        std::cout << fmt::format(" {:.0f} |", 100.0 * found / series);
      }
      std::cout << "\n";
    }
  }
}

void print_speed() {
  const auto began = std::chrono::steady_clock::now();
  const auto runs = test::hourly_runs(125, 1);
  const CircuitTrend trend = trend_of(runs, {test::berlin(), {}});
  const auto found = std::chrono::steady_clock::now();
  const std::size_t page = trend_html(trend, {}).size(), json = trend_json(trend).size();
  const auto written = std::chrono::steady_clock::now();
  const auto seconds = [](auto from, auto to) { return std::chrono::duration<double>(to - from).count(); };
  std::cout << fmt::format("\n{} runs of a direction: {:.2f} s to find, {:.2f} s to write {} and {} bytes\n",
                           runs.size(), seconds(began, found), seconds(found, written), page, json);
}

}  // namespace

int main(int argc, char** argv) {
  const int series = argc > 1 ? std::atoi(argv[1]) : 200;
  print_false_alarms(series);
  print_found(series / 5);
  print_speed();
}
