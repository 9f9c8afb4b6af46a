#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "corpus/corpus_folder.h"
#include "line/line_only_commands.h"
#include "line/line_work.h"
#include "terminal/end_time.h"
#include "terminal/plain_streams.h"
#include "terminal/whole_number.h"
#include "vqas/line/open_line.h"
#include "vqas/node/line_only.h"

namespace vqas::cli {
namespace {

struct SendOptions {
  std::string end = "a", line, corpus, until, signalling;
  std::uint64_t seed = 0;
  std::size_t rounds = 0;
  bool seeded = false, json = false;
  SendPlan plan;
};

void show(const SendProgress& progress, bool ended) {
  if (::isatty(STDERR_FILENO) != 1) return;
  move_cursor(std::cerr, kToLineStart);
  if (ended) return;
  std::cerr << fmt::format("{} sent in {} rounds, {} answered; the listener wants no more of {} of {} stimuli",
                           progress.sent, progress.rounds, progress.answered, progress.not_wanted, progress.stimuli)
            << std::flush;
}

void summarise(const SendOptions& options, const SendProgress& progress) {
  if (options.json) {
    const nlohmann::ordered_json summary = {
        {"run_id", options.plan.run_id}, {"sent", progress.sent},
        {"rounds", progress.rounds},     {"answered", progress.answered},
        {"scored", progress.scored},     {"broken_off", progress.broken_off},
        {"stimuli", progress.stimuli},   {"stimuli_not_wanted", progress.not_wanted},
        {"finished", progress.finished}, {"line_seconds", progress.line_seconds}};
    std::cout << summary.dump(2) << std::endl;
    return;
  }
  std::cout << fmt::format("{} transmissions in {} rounds and {:.0f} s of line time", progress.sent, progress.rounds,
                           progress.line_seconds);
  if (!options.plan.rounds) {
    std::cout << fmt::format(
        "; {} answered, {} scored; the listener wants no more of {} of {} stimuli{}", progress.answered,
        progress.scored, progress.not_wanted, progress.stimuli,
        progress.not_wanted > 0 ? " (which of them reached their goal, its own results tell)" : "");
  }
  if (progress.broken_off > 0) {
    std::cout << fmt::format("; {} broken off, because this machine did not send in time, and sent again",
                             progress.broken_off);
  }
  std::cout << ".\n";
}

int send(SendOptions options) {
  options.plan.end = options.end == "a" ? End::a : End::b;
  if (const Status named = check_line_name(options.line, options.plan.end); !named) return report_error(named.error());
  auto over = until(options.until);
  if (!over) return report_error(over.error());
  const auto folder = corpus_folder(options.corpus);
  if (!folder) return report_error(folder.error());
  const auto corpus = Corpus::load(*folder);
  if (!corpus) return report_error(corpus.error());
  SendPlan& plan = options.plan;
  plan.run_id = (options.seeded ? static_cast<std::uint32_t>(options.seed) : std::random_device{}()) & 0xFFFFFF;
  if (options.rounds > 0) plan.rounds = options.rounds;
  plan.over = *std::move(over);
  SendProgress last;
  plan.progressed = [&last](const SendProgress& progress) { last = progress, show(progress, false); };
  plan.noticed = [&last](const std::string& what) {
    show(last, true);
    fmt::print(stderr, "vqas: {}.\n", what);
  };
  const auto line = open_line_soon(options.line, plan.end);
  if (!line) return report_error(line.error());
  if (!options.signalling.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(options.signalling, failed);
  }
  follow_calls(**line, plan.end, options.signalling);
  return work_on_line(**line, [&](const std::atomic<bool>& cancelled) {
    const auto sent = send_over_line(**line, *corpus, plan, cancelled);
    show(last, true);
    summarise(options, sent ? *sent : last);
    return sent ? kOk : report_error(sent.error());
  });
}

}  // namespace

void add_send_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<SendOptions>();
  CLI::App* command = app.add_subcommand(
      "send", "send the stimuli over a line without any network between the ends; \"vqas listen\" is the other end");
  command->add_option("--line", options->line, "the line, as \"vqas node --help\" lists them")->required();
  command->add_option("--end", options->end, "which end of the line this is")
      ->check(CLI::IsMember({"a", "b"}))
      ->capture_default_str();
  command
      ->add_option("--rounds", options->rounds,
                   "send each stimulus this many times without waiting for answers; default: as many as the listener's "
                   "answers request")
      ->check(CLI::Range(1, 250));
  command->add_option("--until", options->until,
                      "begin no transmission after this time: 17:30, or 90s, 45m, 2h from now");
  command
      ->add_option("--answer-within-s", options->plan.answer_within_s,
                   "how long to wait for an answer, in s; more than the line's delay both ways")
      ->check(CLI::Range(1.0, 120.0))
      ->capture_default_str();
  command->add_option("--signalling", options->signalling,
                      "folder for the signalling of a sip: line, as signalling-a.txt or signalling-b.txt");
  add_shared_options(*command, options->plan.guard_s, options->corpus);
  auto* seed = command->add_option("--seed", options->seed, "seed of the order of stimuli; default: random")
                   ->check(whole_number());
  command->add_flag("--json", options->json, "print the summary as JSON");
  command->footer(
      "Examples:\n"
      "  vqas send --line sim:127.0.0.1:7810/a                          # the listener says when it is enough\n"
      "  vqas send --line sim:127.0.0.1:7810/a --rounds 10 --until 2h   # nothing comes back over this line\n"
      "Start \"vqas listen\" at the other end first.");
  command->callback([&action, options, seed] {
    options->seeded = seed->count() > 0;
    action = [options] { return send(*options); };
  });
}

}  // namespace vqas::cli
