#include <fmt/format.h>

#include <map>
#include <memory>

#include "command.h"
#include "event_loop.h"
#include "measuring.h"
#include "plan_options.h"

namespace vqas::cli {
namespace {

int measure(PlanOptions options) {
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
  command->add_option("--node-a", options->plan.node_a, "control address of end a, ws://127.0.0.1:PORT")->required();
  command->add_option("--node-b", options->plan.node_b, "control address of end b")->required();
  command->add_option("--out", options->plan.folder, "folder for results, recordings and report")->required();
  command
      ->add_option("--within-s", options->plan.within_s,
                   "how long a receiver waits for the first mark, in s; more than the line's delay")
      ->check(CLI::Range(1.0, 600.0))
      ->capture_default_str();
  command
      ->add_option("--redial", options->plan.redial,
                   "command that makes the call again when it is gone; without it a lost call ends the run")
      ->option_text("COMMAND");
  command
      ->add_option("--redial-s", options->plan.redial_s,
                   "time between the end of that command and the next transmission, in s")
      ->check(CLI::Range(0.0, 600.0))
      ->capture_default_str();
  const std::map<std::string, Duplex> ways{{"auto", Duplex::automatic}, {"both", Duplex::both}, {"one", Duplex::one}};
  command
      ->add_option(
          "--duplex", options->plan.duplex,
          "both: the two directions at a time; one: in turn; auto: both, unless an end of a real line hears its "
          "own echo")
      ->transform(CLI::CheckedTransformer(ways))
      ->option_text("auto|both|one");
  add_plan_options(*command, *options);
  command->footer(
      "Example:\n  vqas measure --node-a ws://127.0.0.1:7811 --node-b ws://127.0.0.1:7812 --out results --cap 30\n"
      "\"vqas node --help\" tells how to start the nodes.");
  command->callback([&action, options] { action = [options] { return measure(*options); }; });
}

}  // namespace vqas::cli
