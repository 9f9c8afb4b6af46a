#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "measure/next_try.h"
#include "measure/plan_options.h"
#include "measure/run_printer.h"
#include "node/line_options.h"
#include "terminal/command.h"
#include "terminal/event_loop.h"
#include "terminal/refused_start.h"
#include "vqas/campaign/bench_line.h"
#include "vqas/campaign/bench_run.h"
#include "vqas/campaign/shell_words.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

struct QuickstartOptions {
  PlanOptions run;
  LineOptions line = default_line_options();
};

int quickstart(QuickstartOptions options) {
  RunPlan& plan = options.run.plan;
  options.line.conditions.end_silence_s = end_silence_for_guard(plan.guard_s);
  const auto line = simulated_line(options.line, plan.seed);
  if (!line) return report_error(line.error());
  if (const Status ready = complete_plan(options.run); !ready)
    return report_error(ready.error(), options.run.plan.folder);
  plan.within_s = line->a_to_b.delay_s + kBenchPatience_s;
  std::error_code fault;
  const fs::path program = fs::read_symlink("/proc/self/exe", fault);
  if (fault) return report_error({ErrorCode::io, "cannot find this program's own file: " + fault.message()});

  EventLoop loop;
  Showing showing;
  showing.json = options.run.json;
  showing.json_lines = options.run.json_lines;
  RecorderOptions recording;
  recording.about = about_of(options.run);
  recording.command = "vqas quickstart again" + as_arguments(options.run) + as_arguments(options.line);
  const NextTry next = next_try(options.line.conditions.ber);
  const NextTry better = better_try(options.line.conditions.ber);
  const auto command = [&options, &plan](const NextTry& other) {
    // Another line, measured in the same way.
    LineOptions like_this = options.line, usual = default_line_options();
    like_this.profile.clear();
    like_this.conditions.ber = usual.conditions.ber = other.ber;
    const std::string of_line = as_arguments(like_this);
    return fmt::format("vqas quickstart {}{}{}", as_word(folder_beside(plan.folder, other.suffix)),
                       of_line == as_arguments(usual) ? fmt::format(" --ber {:g}", other.ber) : of_line,
                       as_arguments(options.run));
  };
  // With another seed a profile changes at the same times, but other octets are in error.
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
  RunRecorder recorder = RunRecorder::create(options.run.folder, std::move(recording));
  RunPrinter printer(plan.folder, showing);
  BenchRun run(program, *line, plan, recorder, printer.events(EventLoop::end),
               [](const Error& why) { EventLoop::end(report_error(why)); });
  loop.on_interrupt([&run] { run.cancel(); });
  run.start();
  const int exit_code = loop.run();
  run.leave();
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
