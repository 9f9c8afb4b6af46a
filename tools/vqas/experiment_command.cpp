#include "experiment_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "corpus_folder.h"
#include "vqas/experiment/experiment.h"

namespace vqas::cli {
namespace {

struct ExperimentCommand {
  std::string name;
  std::string corpus;
  std::filesystem::path out = "experiment-results";
  std::uint64_t seed = 1;
  unsigned threads = 2;
  bool json = false;
};

// What a signal handler may touch.
volatile std::sig_atomic_t interrupted = 0;

// Shows how far it is, where somebody looks on.
class Progress {
 public:
  explicit Progress(std::string name) : name_(std::move(name)), shown_(::isatty(STDERR_FILENO) == 1) {}
  void update(std::size_t done, std::size_t all) {
    if (!shown_) return;
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    const double left = passed.count() * static_cast<double>(all - done) / static_cast<double>(done);
    std::cerr << fmt::format("\r{}: {} of {}, {:.0f} s left \x1b[K", name_, done, all, left) << std::flush;
  }
  void clear() const {
    if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  }

 private:
  std::string name_;
  bool shown_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int run_one(const std::string& name, const ExperimentCommand& command, const std::filesystem::path& corpus) {
  Progress progress(name);
  ExperimentOptions options;
  options.corpus = corpus;
  options.seed = command.seed;
  options.threads = command.threads;
  options.progress = [&progress](std::size_t done, std::size_t all) { progress.update(done, all); };
  options.cancelled = [] { return interrupted != 0; };
  const auto result = run_experiment(name, options);
  progress.clear();
  if (!result) return report_error(result.error());
  const std::string again =
      fmt::format("vqas experiment {} --seed {} --out {}", name, command.seed, command.out.string());
  if (const Status written = write_experiment(command.out, *result, again); !written) {
    return report_error(written.error());
  }
  if (command.json) {
    std::cout << experiment_json(*result);
    return kOk;
  }
  std::cout << fmt::format("{}: {} transmissions, {}\n", name, result->points.size(),
                           (command.out / (name + ".html")).string());
  for (const Statement& statement : result->statements) {
    std::cout << fmt::format("  {:18}  {} ({})\n", to_string(statement.verdict), statement.text, statement.figures);
  }
  return kOk;
}

int run(const ExperimentCommand& command) {
  if (command.name == "list") {
    for (const ExperimentInfo& one : experiments()) std::cout << fmt::format("{:18}{}\n", one.name, one.summary);
    return kOk;
  }
  const auto folder = corpus_folder(command.corpus);
  if (!folder) return report_error(folder.error());
  std::signal(SIGINT, [](int) { interrupted = 1; });
  if (command.name != "all") return run_one(command.name, command, *folder);
  for (const ExperimentInfo& one : experiments()) {
    const int code = run_one(std::string(one.name), command, *folder);
    if (code != kOk) return code;
  }
  return kOk;
}

}  // namespace

void add_experiment_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ExperimentCommand>();
  CLI::App* command = app.add_subcommand(
      "experiment",
      "run a published experiment over simulated lines in virtual time; writes CSV, JSON and a page with its plot and "
      "with what the report said beside what was found here");
  command->add_option("NAME", options->name, "an experiment, \"all\", or \"list\" for their names")->required();
  command->add_option("--out", options->out, "folder for the results")->capture_default_str();
  command->add_option("--seed", options->seed, "the same seed makes the same results")->capture_default_str();
  command->add_option("--threads", options->threads, "transmissions at once; the results do not depend on it")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--corpus", options->corpus, "folder of the corpus; default: the one that was installed");
  command->add_flag("--json", options->json, "print the results as JSON");
  command->footer("Example: vqas experiment thunderstorm --out storm --seed 7");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace vqas::cli
