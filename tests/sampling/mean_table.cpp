// Prints the tables of libvqas/doc/record/sampling-mean.md: coverage and cost of the mean's sampler on simulated lines.
// usage: mean_table [RUNS [SEED [TABLE [PERCENT]]]]
//   TABLE: normal, first, stimuli, others, cap, both, pace, above; else all
//   PERCENT: of the first table only the rows of that confidence
#include <cstdio>
#include <cstdlib>
#include <string>

#include "sampling/mean_simulation.h"

namespace {

using vqas::test::MeanLine;
using vqas::test::MeanSimulation;

constexpr const char* kProfiles[] = {"equal", "spread", "wide", "half", "one"};
constexpr double kConfidences[] = {0.90, 0.95, 0.99};

struct Table {
  std::size_t runs = 20'000;
  std::uint64_t seed = 1;
  double percent = 0;  ///< 0: all
};

std::string coverage_of(const vqas::test::Simulation& result) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f (%.2f to %.2f)", 100 * result.coverage(), 100 * result.lowest_coverage(),
                100 * result.highest_coverage());
  return text;
}

void print_row(const Table& table, const char* profile, const MeanLine& line, double size) {
  const MeanSimulation result = simulate_mean(line, table.runs, table.seed);
  const auto oracle = [&](vqas::test::Shares shares) {
    return static_cast<double>(
        vqas::test::mean_oracle(line.options.goal, line.deviations, line.options.first_count, shares));
  };
  const double equal = oracle(vqas::test::Shares::equal), neyman = oracle(vqas::test::Shares::neyman);
  std::printf("| %g %% | %zu | %zu | %s | %g | %s | %.1f | %.0f | %.3f | %.0f | %.3f |\n",
              100 * line.options.goal.confidence, line.deviations.size(), line.options.first_count, profile, size,
              coverage_of(result).c_str(), result.mean_count(), equal, result.mean_count() / equal, neyman,
              result.mean_count() / neyman);
  std::fflush(stdout);
}

void print_head(const char* title) {
  std::printf(
      "\n%s\n\n| confidence | stimuli | first | deviations | size | coverage, %% (99 %% bounds) | mean count | "
      "oracle, equal counts | ratio | oracle, Neyman | ratio |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
      title);
}

void print_normal(const Table& table) {
  print_head("Independent normal scores:");
  for (const double confidence : kConfidences) {
    if (table.percent > 0 && std::abs(table.percent - 100 * confidence) > 0.1) continue;
    for (const char* profile : kProfiles) {
      for (const double size : {40.0, 80.0, 140.0, 300.0})
        print_row(table, profile, vqas::test::mean_line(profile, 12, confidence, size), size);
    }
  }
}

void print_first(const Table& table) {
  print_head("Other first counts:");
  for (const double confidence : {0.95, 0.99}) {
    for (const std::size_t first : {2, 3, 5}) {
      for (const char* profile : kProfiles) {
        for (const double size : {40.0, 80.0, 140.0})
          print_row(table, profile, vqas::test::mean_line(profile, 12, confidence, size, first), size);
      }
    }
  }
}

void print_stimuli(const Table& table) {
  print_head("Other numbers of stimuli:");
  for (const double confidence : kConfidences) {
    for (const std::size_t stimuli : {1, 2, 4, 24}) {
      for (const char* profile : {"equal", "spread"}) {
        if (stimuli == 1 && std::string(profile) != "equal") continue;
        for (const double each : {4.0, 12.0}) {
          const double size = each * static_cast<double>(std::max<std::size_t>(stimuli, 4));
          print_row(table, profile, vqas::test::mean_line(profile, stimuli, confidence, size), size);
        }
      }
    }
  }
}

void print_pace(const Table& table) {
  print_head("Step 1, looks and allocation after each score:");
  for (const double confidence : kConfidences) {
    for (const char* profile : {"equal", "spread", "one"}) {
      MeanLine line = vqas::test::mean_line(profile, 12, confidence, 140);
      line.options.step = 1;
      line.in_rounds = false;
      print_row(table, profile, line, 140);
    }
  }
}

void print_other(const Table& table, const char* name, double confidence, const vqas::test::NextScore& score) {
  MeanLine line = vqas::test::mean_line("equal", 12, confidence, 140);
  line.score = score;
  line.tells = true;
  const MeanSimulation result = simulate_mean(line, table.runs, table.seed);
  std::printf("| %g %% | %s | %s | %.1f | %.1f |\n", 100 * confidence, name, coverage_of(result).c_str(),
              result.mean_count(), 100 * static_cast<double>(result.told) / static_cast<double>(result.runs));
  std::fflush(stdout);
}

void print_others(const Table& table) {
  std::printf(
      "\nOther scores, 12 stimuli of equal deviation, first 5, size 140:\n\n"
      "| confidence | scores | coverage, %% (99 %% bounds) | mean count | told that scores depend, %% |\n"
      "|---|---|---|---|---|\n");
  for (const double confidence : kConfidences) {
    const auto print = [&](const char* name, const vqas::test::NextScore& score) {
      print_other(table, name, confidence, score);
    };
    print("normal", [](auto& n) { return n(); });
    print("bounded (uniform)", [](auto& n) { return (n.unit() - 0.5) * std::sqrt(12.0); });
    print("skewed (exponential)", [](auto& n) { return -std::log(n.unit()) - 1; });
    print("two levels, 50 %", [](auto& n) { return n.unit() < 0.5 ? -1.0 : 1.0; });
    print("two levels, 20 %", [](auto& n) { return n.unit() < 0.2 ? -2.0 : 0.5; });
    print("two levels, 5 %", [](auto& n) { return n.unit() < 0.05 ? -std::sqrt(19.0) : std::sqrt(1 / 19.0); });
    for (const auto& [name, rho] : {std::pair{"AR(1), 0.3", 0.3}, {"AR(1), 0.6", 0.6}, {"AR(1), 0.8", 0.8}}) {
      double last = 0;
      print(name, [rho = rho, &last](auto& n) { return last = rho * last + std::sqrt(1 - rho * rho) * n(); });
    }
  }
}

void print_cap(const Table& table) {
  std::printf(
      "\nA cap of 30 on average (360), no fallback, 12 stimuli, first 5:\n\n"
      "| confidence | deviations | size | at the goal, %% | coverage, %% (99 %% bounds) | mean count | mean "
      "half-width |\n|---|---|---|---|---|---|---|\n");
  for (const double confidence : kConfidences) {
    for (const char* profile : kProfiles) {
      for (const double size : {340.0, 600.0}) {
        MeanLine line = vqas::test::mean_line(profile, 12, confidence, size);
        line.options.cap_count = 30;
        line.options.fallback.reset();
        const MeanSimulation result = simulate_mean(line, table.runs, table.seed);
        const auto runs = static_cast<double>(result.runs);
        std::printf("| %g %% | %s | %g | %.1f | %s | %.1f | %.4f |\n", 100 * confidence, profile, size,
                    100 * static_cast<double>(result.reached) / runs, coverage_of(result).c_str(), result.mean_count(),
                    result.half_widths / runs);
        std::fflush(stdout);
      }
    }
  }
}

/// Both directions at once. What disturbs both is in each score with `common` of its variance.
void print_both(const Table& table) {
  std::printf(
      "\nBoth directions together, each with a goal by simultaneous_goal(), 12 stimuli of spread deviations, "
      "size 140:\n\n| confidence | of the variance in both | coverage of both, %% (99 %% bounds) | mean count of "
      "one | against a direction alone |\n|---|---|---|---|---|\n");
  for (const double confidence : kConfidences) {
    MeanLine alone = vqas::test::mean_line("spread", 12, confidence, 140);
    const double one = simulate_mean(alone, table.runs, table.seed).mean_count();
    for (const double common : {0.0, 0.5, 0.9}) {
      MeanLine line = alone;
      line.options.goal = vqas::simultaneous_goal(line.options.goal, 2);
      vqas::test::Normal normal(table.seed);
      vqas::test::Simulation result;
      for (; result.runs < table.runs; ++result.runs) {
        // The i-th transmission of each direction leaves at the same time.
        std::vector<double> shared;
        bool holds = true;
        for (int direction = 0; direction < 2; ++direction) {
          std::size_t at = 0;
          line.score = [&](auto& n) {
            if (shared.size() == at) shared.push_back(n());
            return std::sqrt(common) * shared[at++] + std::sqrt(1 - common) * n();
          };
          const vqas::MeanSampler sampler = run_once(line, normal);
          const vqas::StratifiedMean mean = sampler.mean();
          holds = holds && std::abs(vqas::test::error_of(mean)) <= mean.half_width;
          result.counts += static_cast<double>(sampler.scored()) / 2;
        }
        result.covered += holds ? 1 : 0;
      }
      std::printf("| %g %% | %g %% | %s | %.1f | %.3f |\n", 100 * confidence, 100 * common, coverage_of(result).c_str(),
                  result.mean_count(), result.mean_count() / one);
      std::fflush(stdout);
    }
  }
}

/// Scores with a deviation of 0.45 and a goal of ±0.1. The model's error is not simulated, only allowed for.
void print_above(const Table& table) {
  std::printf(
      "\nIs the mean above a limit, 12 stimuli with a deviation of 0.45, first 5, cap 30:\n\n"
      "| confidence | model error | mean less limit | told right, %% | told wrong, %% | cannot be decided, %% | "
      "coverage, "
      "%% (99 %% bounds) | mean count |\n|---|---|---|---|---|---|---|---|\n");
  for (const double confidence : kConfidences) {
    for (const double model_error : {0.05, 0.24}) {
      for (const double distance : {0.0, 0.15, 0.3, 0.6, 1.0}) {
        MeanLine line{.options = {}, .deviations = std::vector(12, 0.45)};
        line.options.goal.confidence = confidence;
        line.options.goal_of = vqas::GoalOf::above;
        line.options.limit = {2.55 - distance, model_error};
        vqas::test::Normal normal(table.seed);
        vqas::test::Simulation result;
        std::size_t right = 0, wrong = 0, undecided = 0;
        for (; result.runs < table.runs; ++result.runs) {
          const vqas::MeanSampler sampler = run_once(line, normal);
          const vqas::StratifiedMean mean = sampler.mean();
          result.covered += std::abs(vqas::test::error_of(mean)) <= mean.half_width ? 1 : 0;
          result.counts += static_cast<double>(sampler.scored());
          const bool decided = sampler.stopped_because() == vqas::StopReason::goal;
          ++(!decided ? undecided : mean.mean > line.options.limit.mos ? right : wrong);
        }
        const auto percent = [&](std::size_t count) {
          return 100 * static_cast<double>(count) / static_cast<double>(result.runs);
        };
        std::printf("| %g %% | %g | %g | %.2f | %.2f | %.2f | %s | %.1f |\n", 100 * confidence, model_error, distance,
                    percent(right), percent(wrong), percent(undecided), coverage_of(result).c_str(),
                    result.mean_count());
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Table table;
  if (argc > 1) table.runs = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) table.seed = std::strtoull(argv[2], nullptr, 10);
  const std::string only = argc > 3 ? argv[3] : "";
  if (argc > 4) table.percent = std::strtod(argv[4], nullptr);
  const auto is_asked = [&](const char* name) { return only.empty() || only == name; };
  if (is_asked("normal")) print_normal(table);
  if (is_asked("first")) print_first(table);
  if (is_asked("stimuli")) print_stimuli(table);
  if (is_asked("others")) print_others(table);
  if (is_asked("cap")) print_cap(table);
  if (is_asked("both")) print_both(table);
  if (is_asked("pace")) print_pace(table);
  if (is_asked("above")) print_above(table);
}
