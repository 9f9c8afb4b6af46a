#include "line/line_check_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "corpus/corpus_folder.h"
#include "node/peer_options.h"
#include "terminal/event_loop.h"
#include "terminal/scratch_folder.h"
#include "terminal/wait_teller.h"
#include "vqas/campaign/check_stimuli.h"
#include "vqas/campaign/line_check.h"
#include "vqas/signal/rounding.h"

namespace vqas::cli {
namespace {

using Json = nlohmann::ordered_json;

// Rounding of the values in JSON, in each unit: finer than any finding is known.
constexpr double kStep = 1e-3;

void print(const LineCheckResult& result, bool as_json) {
  Json json{{"passed", result.passed}, {"directions", Json::array()}};
  for (const CheckedDirection& direction : result.directions) {
    const std::string name = direction_words(direction.from);
    Json findings = Json::array();
    if (!as_json) std::cout << name << "\n";
    for (const CheckFinding& one : direction.findings) {
      findings.push_back({{"name", one.name},
                          {"value", one.value ? Json(rounded_to(*one.value, kStep)) : Json(nullptr)},
                          {"unit", one.unit},
                          {"pass", one.pass},
                          {"measured", one.made()},
                          {"advice", one.advice.empty() ? Json(nullptr) : Json(one.advice)}});
      if (as_json) continue;
      std::cout << fmt::format("  {:4} {:17} {}{}\n",
                               one.pass     ? "ok"
                               : one.made() ? "FAIL"
                                            : "--",
                               one.name, value_in_words(one), one.advice.empty() ? "" : ": " + one.advice);
    }
    json["directions"].push_back({{"direction", name}, {"findings", findings}});
  }
  if (as_json) std::cout << json.dump(2) << "\n";
  std::cout << std::flush;
}

// Prints what was found and gives the exit code.
int finish(const LineCheckResult& result, bool as_json) {
  if (!result.error) {
    print(result, as_json);
    return result.passed ? kOk : kNotMeasured;
  }
  const int exit_code = report_error(*result.error);
  // Findings made before the error are useful too.
  const bool any = std::ranges::any_of(result.directions, [](const auto& one) { return one.transmissions > 0; });
  if (any && result.error->code != ErrorCode::cancelled) print(result, as_json);
  return exit_code;
}

struct CheckOptions {
  RunPlan plan;
  PeerOptions trust;
  std::string corpus;
  std::filesystem::path out;
  bool json = false;
};

int check(CheckOptions options) {
  const auto corpus = corpus_folder(options.corpus);
  if (!corpus) return report_error(corpus.error());
  options.plan.corpus = *corpus;
  if (const Status known = check_stimuli(*corpus, options.plan.stimuli); !known) return report_error(known.error());
  std::optional<ScratchFolder> scratch;
  options.plan.folder = options.out.empty() ? scratch.emplace("check").path() : options.out;
  if (options.plan.folder.empty())
    return report_error({ErrorCode::io, "cannot make a temporary folder; give --out FOLDER"});
  options.plan.holder = "vqas line check";
  EventLoop loop;
  if (const auto refused = trust_peers(options.trust, options.plan)) return exit_code_of(*refused);
  WaitTeller waits;
  LineCheckEvents events;
  events.on_part = [](std::size_t part, std::size_t parts, double guard_s) {
    if (::isatty(STDERR_FILENO) != 1) return;
    std::cerr << fmt::format("Part {} of {}: {} ms between mark and speech\n", part, parts, guard_s * 1e3);
  };
  events.on_waiting = [&waits](const MarkWait& wait) { waits.tell(wait); };
  events.on_part_ended = [&waits] { waits.clear(); };
  events.on_noticed = [&waits](const std::string& what) {
    waits.clear();
    std::cerr << "vqas: " << what << ".\n";
  };
  events.on_finished = [&options](const LineCheckResult& result) { EventLoop::end(finish(result, options.json)); };
  LineCheck run(options.plan, std::move(events));
  loop.on_interrupt([&run] { run.cancel(); });
  run.start();
  return loop.run();
}

}  // namespace

void add_line_check_command(CLI::App& line, Action& action) {
  const auto options = std::make_shared<CheckOptions>();
  options->plan.stimuli.assign(kUsualCheckStimuli.begin(), kUsualCheckStimuli.end());
  CLI::App* command = line.add_subcommand(
      "check", "check whether a line is ready: a minute of transmissions both ways, with advice where a check fails");
  command
      ->add_option("--node-a", options->plan.node_a, "control address of end a, ws://127.0.0.1:PORT or wss://HOST:PORT")
      ->required();
  command->add_option("--node-b", options->plan.node_b, "control address of end b")->required();
  command->add_option("--stimuli", options->plan.stimuli, "names separated by commas, such as M1,F5")
      ->delimiter(',')
      ->capture_default_str();
  add_corpus_option(*command, options->corpus);
  command->add_option("--out", options->out, "keep the recordings in this folder");
  command->add_flag("--json", options->json, "print JSON");
  add_peer_options(*command, options->trust);
  command->footer(
      "Example: vqas line check --node-a ws://127.0.0.1:7811 --node-b ws://127.0.0.1:7812\n"
      "Exit code 0: every check passed; 4: a check failed; 5: the line or a node was lost.\n"
      "The checks and their limits: libvqas/doc/line-check.md");
  command->callback([&action, options] { action = [options] { return check(*options); }; });
}

}  // namespace vqas::cli
