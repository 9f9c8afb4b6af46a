#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "measure/measuring.h"
#include "measure/plan_options.h"
#include "node/line_options.h"
#include "terminal/command.h"
#include "terminal/event_loop.h"
#include "terminal/next_line.h"
#include "terminal/shell_words.h"
#include "vqas/node/simulated_bench.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

struct QuickstartOptions {
  PlanOptions run;
  LineOptions line = default_line_options();
};

// A receiver waits for its first mark at least that much longer than the line takes.
constexpr double kPatience_s = 10;

int quickstart(QuickstartOptions options) {
  RunPlan& plan = options.run.plan;
  options.line.conditions.end_silence_s = end_silence_for_guard(plan.guard_s);
  const auto line = simulated_line(options.line, plan.seed);
  if (!line) return report_error(line.error());
  if (const Status ready = complete_plan(options.run); !ready) return report_error(ready.error());
  plan.within_s = line->a_to_b.delay_s + kPatience_s;
  plan.holder = kOwnLine;
  std::error_code fault;
  const fs::path program = fs::read_symlink("/proc/self/exe", fault);
  if (fault) return report_error({ErrorCode::io, "cannot find this program's own file: " + fault.message()});

  EventLoop loop;
  Showing showing;
  showing.json = options.run.json;
  showing.json_lines = options.run.json_lines;
  showing.about.tags = tags_of(options.run);
  showing.again = "vqas quickstart again" + as_arguments(options.run) + as_arguments(options.line);
  const NextLine next = next_line(options.line.conditions.ber);
  const NextLine better = better_line(options.line.conditions.ber);
  const auto command = [&options, &plan](const NextLine& other) {
    // Another line, measured in the same way.
    LineOptions like_this = options.line, usual = default_line_options();
    like_this.profile.clear();
    like_this.conditions.ber = usual.conditions.ber = other.ber;
    const std::string of_line = as_arguments(like_this);
    return fmt::format("vqas quickstart {}{}{}", as_word(folder_beside(plan.folder, other.suffix)),
                       of_line == as_arguments(usual) ? fmt::format(" --ber {:g}", other.ber) : of_line,
                       as_arguments(options.run));
  };
  // A profile is worth hearing again with other errors: it changes at the same times, and other octets are wrong.
  const auto other_errors = [&options, &plan] {
    PlanOptions other = options.run;
    ++other.plan.seed;
    return fmt::format("vqas quickstart {}{}{}", as_word(folder_beside(plan.folder, "-again")), as_arguments(other),
                       as_arguments(options.line));
  };
  showing.next_command = options.line.profile.empty() ? command(next) : other_errors();
  showing.without_score = command(better);
  showing.after_failure = fmt::format("vqas quickstart {}{}{}", as_word(folder_beside(plan.folder, "-again")),
                                      as_arguments(options.run), as_arguments(options.line));
  std::optional<Measuring> measuring;
  bool interrupted = false;
  SimulatedBench bench({program, plan.corpus, plan.folder / "nodes", *line, {}, {}});
  QObject::connect(&bench, &SimulatedBench::ready, &bench, [&] {
    plan.node_a = bench.node_a();
    plan.node_b = bench.node_b();
    measuring.emplace(plan, showing);
    measuring->start();
  });
  QObject::connect(&bench, &SimulatedBench::failed, &bench, [&](const QString& message) {
    if (measuring) return measuring->note(message.toStdString());
    EventLoop::end(report_error({ErrorCode::line_lost, message.toStdString()}));
  });
  loop.on_interrupt([&] {
    if (measuring) return measuring->cancel();
    if (!interrupted) EventLoop::end(report_error({ErrorCode::cancelled, "cancelled before anything was measured"}));
    interrupted = true;
  });
  bench.start();
  const int exit_code = loop.run();
  bench.stop();
  const bool begun = measuring && measuring->begun();
  if (!begun || measuring->fetched()) fs::remove_all(plan.folder / "nodes", fault);
  if (!begun) abandon_run_folder(options.run.folder);
  return exit_code;
}

}  // namespace

void add_quickstart_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<QuickstartOptions>();
  options->run.plan.folder = "quickstart-results";
  CLI::App* command = app.add_subcommand(
      "quickstart", "measure a simulated line from end to end: starts the simulator and two nodes, measures both ways");
  command->add_option("DIR", options->run.plan.folder, "folder for results, recordings and report")
      ->capture_default_str();
  add_plan_options(*command, options->run);
  add_line_options(*command, options->line);
  command->footer("Example: vqas quickstart bad-line --ber 1e-3 --cap 10 --seed 7");
  command->callback([&action, options] { action = [options] { return quickstart(*options); }; });
}

}  // namespace vqas::cli
