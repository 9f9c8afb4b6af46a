#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <mutex>
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

// A folder for the signalling of this line, in which no earlier run has left such a file.
Status prepare_signalling(const SendOptions& options) {
  if (options.signalling.empty()) return success();
  if (!options.line.starts_with("sip:"))
    return Error{ErrorCode::bad_input, "--signalling is for sip: lines; other lines have no signalling"};
  const std::filesystem::path folder = options.signalling;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Error{ErrorCode::io, fmt::format("cannot make {}: {}", folder.string(), failed.message())};
  const auto file = folder / fmt::format("signalling-{}.txt", options.end);
  if (!std::filesystem::exists(file, failed)) return success();
  return Error{ErrorCode::bad_input, fmt::format("{} is of an earlier run; give another folder", file.string())};
}

int send(SendOptions options) {
  options.plan.end = options.end == "a" ? End::a : End::b;
  if (const Status named = check_line_name(options.line, options.plan.end); !named) return report_error(named.error());
  if (const Status prepared = prepare_signalling(options); !prepared) return report_error(prepared.error());
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
  std::mutex terminal;  // and `last`: notices come from two threads
  plan.progressed = [&](const SendProgress& progress) {
    const std::lock_guard lock(terminal);
    last = progress, show(progress, false);
  };
  plan.noticed = [&](const std::string& what) {
    const std::lock_guard lock(terminal);
    show(last, true);
    fmt::print(stderr, "vqas: {}.\n", what);
  };
  const auto line = open_line_soon(options.line, plan.end);
  if (!line) return report_error(line.error());
  const CallFollower follower(**line, plan.end, options.signalling, plan.noticed);
  return work_on_line(**line, [&](const std::atomic<bool>& cancelled) {
    const auto sent = send_over_line(**line, *corpus, plan, cancelled);
    const std::lock_guard lock(terminal);
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
  command->add_option(
      "--signalling", options->signalling,
      "sip: lines only: folder for the signalling, as signalling-a.txt or signalling-b.txt, which must be new");
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
