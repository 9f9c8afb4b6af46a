#include <fmt/format.h>

#include <memory>

#include "campaign.h"
#include "command.h"
#include "event_loop.h"
#include "measuring.h"
#include "plan_options.h"

namespace vqas::cli {
namespace {

int measure(PlanOptions options, const std::string& plan_file) {
  if (!plan_file.empty()) {
    const auto campaign = read_plan(plan_file);
    if (!campaign) return report_error(campaign.error());
    return measure_campaign(*campaign, {options.plan.folder, options.json, options.force});
  }
  if (options.plan.node_a.empty() || options.plan.node_b.empty())
    return report_error({ErrorCode::bad_input, "nothing says what to measure; give a plan, or --node-a and --node-b"});
  if (const Status ready = complete_plan(options); !ready) return report_error(ready.error());
  const RunPlan& plan = options.plan;
  EventLoop loop;
  Showing showing;
  showing.json = options.json;
  showing.again = fmt::format("vqas measure --node-a {} --node-b {} --out again{}", plan.node_a, plan.node_b,
                              as_arguments(options));
  showing.next_command = fmt::format("vqas measure --node-a {} --node-b {} --out {}{}", plan.node_a, plan.node_b,
                                     folder_beside(plan.folder, "-2"), as_arguments(options));
  showing.after_failure = showing.without_score = showing.next_command;
  Measuring measuring(plan, showing);
  loop.on_interrupt([&measuring] { measuring.cancel(); });
  measuring.start();
  const int exit_code = loop.run();
  if (!measuring.begun()) abandon_run_folder(options.folder);
  return exit_code;
}

}  // namespace

void add_measure_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<PlanOptions>();
  CLI::App* command = app.add_subcommand(
      "measure",
      "command two nodes: send the stimuli both ways until each mean is known well enough, write the report");
  const auto file = std::make_shared<std::string>();
  CLI::Option* const plan = command->add_option(
      "PLAN", *file, "a plan in TOML (\"vqas plan new\" prints one); it says everything but --out, --force and --json");
  command->add_option("--node-a", options->plan.node_a, "control address of end a, ws://127.0.0.1:PORT");
  command->add_option("--node-b", options->plan.node_b, "control address of end b");
  command->add_option("--out", options->plan.folder, "folder for results, recordings and report")->required();
  command
      ->add_option("--within-s", options->plan.within_s,
                   "how long a receiver waits for the first mark, in s; more than the line's delay")
      ->check(CLI::Range(1.0, 600.0))
      ->capture_default_str();
  add_plan_options(*command, *options);
  // What a plan says is not said twice.
  for (CLI::Option* const one : command->get_options()) {
    const std::string name = one->get_name();
    if (one != plan && name != "--out" && name != "--force" && name != "--json" && name != "--help")
      one->excludes(plan);
  }
  command->footer(
      "Examples:\n  vqas measure winter.toml --out winter\n  vqas measure --node-a ws://127.0.0.1:7811 --node-b "
      "ws://127.0.0.1:7812 --out results --cap 30\n"
      "\"vqas node --help\" tells how to start the nodes.");
  command->callback([&action, options, file] { action = [options, file] { return measure(*options, *file); }; });
}

}  // namespace vqas::cli
