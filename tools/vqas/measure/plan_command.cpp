#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "measure/campaign.h"
#include "terminal/command.h"
#include "vqas/store/plan.h"

namespace vqas::cli {
namespace {

int check(const std::string& file) {
  const auto plan = read_plan(file);
  if (!plan) return report_error(plan.error());
  if (const Status fits = check_campaign(*plan); !fits) return report_error(fits.error());
  const std::size_t runs = count_of_runs(*plan);
  std::cout << fmt::format("{} can be measured: {} {}, {}\n", file, runs, runs == 1 ? "run" : "runs",
                           plan->line == "sim:" ? "on a simulated line" : "with two nodes");
  return kOk;
}

}  // namespace

void add_plan_command(CLI::App& app, Action& action) {
  const auto file = std::make_shared<std::string>();
  CLI::App* const plan = app.add_subcommand("plan", "plans of campaigns, which \"vqas measure PLAN\" measures");
  plan->require_subcommand(1);
  CLI::App* const printing = plan->add_subcommand("new", "print a plan with a comment for each key");
  printing->footer("Example: vqas plan new > winter.toml");
  printing->callback([&action] {
    action = [] {
      std::cout << commented_plan() << std::flush;
      return kOk;
    };
  });
  CLI::App* const checking = plan->add_subcommand("check", "check a plan without measuring anything");
  checking->add_option("PLAN", *file, "a plan in TOML")->required();
  checking->footer("Example: vqas plan check winter.toml");
  checking->callback([&action, file] { action = [file] { return check(*file); }; });
}

}  // namespace vqas::cli
