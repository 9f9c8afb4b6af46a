#include "measure/experiment_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "corpus/corpus_folder.h"
#include "measure/plan_options.h"
#include "measure/run_printer.h"
#include "node/peer_options.h"
#include "terminal/event_loop.h"
#include "terminal/plain_streams.h"
#include "terminal/refused_start.h"
#include "vqas/experiment/experiment.h"
#include "vqas/report/report.h"

namespace vqas::cli {
namespace {

struct ExperimentCommand {
  std::string name;
  std::string corpus;
  std::filesystem::path out = "experiment-results";
  std::uint64_t seed = 1;
  unsigned threads = 2;
  bool json = false;
  bool force = false;
  std::vector<std::string> measured;  // NAME=FOLDER
  std::string node_a, node_b;
  PeerOptions trust;
  std::string channel = "measured";
};

// Shows the progress on a terminal.
class Progress {
 public:
  explicit Progress(std::string name) : name_(std::move(name)), shown_(::isatty(STDERR_FILENO) == 1) {}
  void update(std::size_t done, std::size_t all) {
    if (!shown_) return;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    const double left = passed.count() * static_cast<double>(all - done) / static_cast<double>(done);
    move_cursor(std::cerr, kToLineStart);
    std::cerr << fmt::format("{}: {} of {}, {:.0f} s left", name_, done, all, left) << std::flush;
  }
  void clear() const {
    if (shown_) move_cursor(std::cerr, kToLineStart);
  }

 private:
  std::string name_;
  bool shown_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Measures the line between two nodes into a folder, each sentence five times both ways. Gives the exit code.
int measure_channel(const ExperimentCommand& command, const std::filesystem::path& folder) {
  constexpr std::size_t kRepeats = 5;  // as in the experiment
  PlanOptions options;
  options.plan.node_a = command.node_a;
  options.plan.node_b = command.node_b;
  options.plan.folder = folder;
  options.plan.seed = command.seed;
  options.plan.sampling.cap_count = kRepeats;
  options.corpus = command.corpus;
  if (const Status ready = complete_plan(options); !ready) return report_error(ready.error(), folder);
  EventLoop loop;
  if (const auto refused = trust_peers(command.trust, options.plan)) {
    abandon_run_folder(options.folder);
    return exit_code_of(*refused);
  }
  RecorderOptions recording;
  recording.command = fmt::format("vqas measure --node-a {} --node-b {} --out again{}", command.node_a, command.node_b,
                                  as_arguments(options) + peer_arguments(command.trust));
  RunRecorder recorder = RunRecorder::create(options.folder, std::move(recording));
  return measure_run(loop, options.plan, recorder, {});
}

Result<std::vector<MeasuredChannel>> measured_channels(const ExperimentCommand& command) {
  std::vector<MeasuredChannel> channels;
  for (const std::string& text : command.measured) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Error{
          ErrorCode::bad_input,
          fmt::format("--measured {}: give NAME=FOLDER, where FOLDER holds results of \"vqas measure\"", text)};
    }
    auto run = load_run(text.substr(equals + 1));
    if (!run) return run.error();
    channels.push_back({text.substr(0, equals), std::move(run->results)});
  }
  return channels;
}

int run_one(const std::string& name, const ExperimentCommand& command, const std::filesystem::path& corpus,
            const std::vector<MeasuredChannel>& measured, Interrupts& interrupts) {
  Progress progress(name);
  ExperimentOptions options;
  options.corpus = corpus;
  options.seed = command.seed;
  options.threads = command.threads;
  if (why_no_measured_line(name).empty() || command.name != "all") options.measured = measured;
  options.progress = [&progress](std::size_t done, std::size_t all) { progress.update(done, all); };
  options.cancelled = [&interrupts] { return interrupts.arrived(); };
  const auto result = run_experiment(name, options);
  progress.clear();
  if (!result) return report_error(result.error());
  std::string again = fmt::format("vqas experiment {} --seed {} --out {}", name, command.seed, command.out.string());
  if (!command.corpus.empty()) again += " --corpus " + command.corpus;
  for (const std::string& one : command.measured) again += " --measured " + one;
  if (const Status written = write_experiment(command.out, *result, again); !written) {
    return report_error(written.error());
  }
  if (command.json) {
    std::cout << experiment_json(*result) << std::flush;
    return kOk;
  }
  std::cout << fmt::format("{}: {} transmissions, {}\n", name, result->points.size(),
                           (command.out / (name + ".html")).string());
  for (const Statement& statement : result->statements) {
    std::cout << fmt::format("  {:18}  {} ({})\n", to_string(statement.verdict), statement.text, statement.figures);
  }
  std::cout << std::flush;
  return kOk;
}

// Results of an earlier run are replaced only with --force.
Status check_free(const std::vector<std::string>& names, const ExperimentCommand& command) {
  for (const std::string& name : names) {
    const auto file = command.out / (name + ".json");
    std::error_code fault;
    if (command.force || !std::filesystem::exists(file, fault)) continue;
    return Error{ErrorCode::bad_input,
                 file.string() + ": exists from an earlier run; give another folder (--out), or --force to replace it"};
  }
  return success();
}

int run(ExperimentCommand command) {
  if (command.name == "list") {
    for (const ExperimentInfo& one : experiments()) std::cout << fmt::format("{:18}{}\n", one.name, one.summary);
    return kOk;
  }
  const auto folder = corpus_folder(command.corpus);
  if (!folder) return report_error(folder.error());
  if (command.node_a.empty() != command.node_b.empty()) {
    return report_error({ErrorCode::bad_input, "--node-a and --node-b go together; give the other one too"});
  }
  const bool takes_line = command.name == "all" || why_no_measured_line(command.name).empty();
  if (!takes_line && !(command.node_a.empty() && command.measured.empty())) {
    return report_error({ErrorCode::bad_input, why_no_measured_line(command.name)});
  }
  std::vector<std::string> names{command.name};
  if (command.name == "all") {
    names.clear();
    for (const ExperimentInfo& one : experiments()) names.emplace_back(one.name);
  }
  if (const Status free = check_free(names, command); !free) return report_error(free.error());
  if (!command.node_a.empty()) {
    const std::string into = (command.out / (command.channel + "-run")).string();
    if (const int code = measure_channel(command, into); code != kOk && code != kNotMeasured) return code;
    command.measured.push_back(command.channel + "=" + into);
  }
  const auto measured = measured_channels(command);
  if (!measured) return report_error(measured.error());
  Interrupts interrupts;
  for (const std::string& name : names) {
    if (const int code = run_one(name, command, *folder, *measured, interrupts); code != kOk) return code;
  }
  return kOk;
}

}  // namespace

void add_experiment_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ExperimentCommand>();
  CLI::App* command =
      app.add_subcommand("experiment",
                         "repeat a published experiment over simulated lines in virtual time (\"characterize\" also "
                         "over a real line); writes "
                         "CSV, JSON and a page with a plot that compares the published results with those found here");
  command->add_option("NAME", options->name, "an experiment, \"all\", or \"list\" for their names")->required();
  command->add_option("--out", options->out, "folder for the results")->capture_default_str();
  command->add_flag("--force", options->force, "replace the results of an earlier run in that folder");
  command->add_option("--seed", options->seed, "the same seed makes the same results")->capture_default_str();
  command->add_option("--threads", options->threads, "transmissions at the same time; the results do not depend on it")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  add_corpus_option(*command, options->corpus);
  command->add_flag("--json", options->json, "print the results as JSON");
  constexpr const char* kReal = "A real line beside the simulated ones (characterize)";
  command
      ->add_option("--measured", options->measured,
                   "NAME=FOLDER: a line that \"vqas measure\" has measured into that folder; repeatable")
      ->group(kReal);
  command
      ->add_option("--node-a", options->node_a,
                   "control address of end a of a real line; it is measured first, each sentence five times both ways")
      ->group(kReal);
  command->add_option("--node-b", options->node_b, "control address of end b")->group(kReal);
  command->add_option("--channel", options->channel, "the name of the line between them")
      ->capture_default_str()
      ->group(kReal);
  add_peer_options(*command, options->trust);
  command->footer(
      "Example: vqas experiment thunderstorm --out storm --seed 7\n"
      "         vqas experiment characterize --measured ours=results\n"
      "         vqas experiment characterize --node-a ws://127.0.0.1:7811 --node-b ws://127.0.0.1:7812");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace vqas::cli
