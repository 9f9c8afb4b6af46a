#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <vector>

#include "calls/call_text.h"
#include "calls/calls_commands.h"
#include "corpus/corpus_folder.h"
#include "line/line_work.h"
#include "terminal/end_time.h"
#include "terminal/open_files.h"
#include "terminal/plain_streams.h"
#include "terminal/refused_start.h"
#include "terminal/whole_number.h"
#include "vqas/calls/call_json.h"
#include "vqas/calls/calls_folder.h"
#include "vqas/calls/calls_metrics.h"
#include "vqas/calls/calls_run.h"
#include "vqas/calls/calls_text.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

struct CallsOptions {
  std::string plan_file, folder, resume, corpus, metrics_file;
  bool force = false, json = false, json_lines = false;
  /// What the command line changes of the plan, in its order.
  std::vector<std::function<Status(CallsPlan&)>> changes;
};

Result<CallsPlan> plan_of(const CallsOptions& options) {
  CallsPlan plan;
  if (!options.plan_file.empty()) {
    auto read = read_calls_plan(options.plan_file);
    if (!read) return read.error();
    plan = *std::move(read);
  }
  for (const auto& change : options.changes) {
    if (const Status changed = change(plan); !changed) return changed.error();
  }
  if (!options.corpus.empty()) plan.corpus = options.corpus;
  // The calls may be continued from another folder.
  if (!plan.corpus.empty()) plan.corpus = std::filesystem::absolute(plan.corpus);
  if (const Status valid = validate(plan); !valid) return valid.error();
  return plan;
}

Result<Corpus> corpus_of(const CallsPlan& plan) {
  const auto at = corpus_folder(plan.corpus.string());
  return at ? Corpus::load(*at) : Result<Corpus>(at.error());
}

Result<CallsFolder> folder_of(const CallsOptions& options) {
  if (!options.resume.empty()) {
    if (!options.plan_file.empty() || !options.changes.empty() || !options.folder.empty() || options.force)
      return Error{ErrorCode::bad_input,
                   "--resume takes the plan from the folder; give it alone, or with --json or --json-lines"};
    return CallsFolder::resume(options.resume, now_utc());
  }
  if (options.folder.empty()) return Error{ErrorCode::bad_input, "--out is missing: the folder for the calls"};
  const auto plan = plan_of(options);
  if (!plan) return plan.error();
  const auto corpus = corpus_of(*plan);
  if (!corpus) return corpus.error();
  // Before --force replaces what is there.
  if (const Status possible = check_calls(*plan, *corpus); !possible) return possible.error();
  return CallsFolder::create(options.folder, *plan, corpus->digest(), now_utc(), options.force);
}

CallsBefore before(const CallsFolder& folder) {
  CallsBefore before;
  for (const CallOutcome& call : folder.calls()) {
    before.last_number = std::max(before.last_number, call.number);
    before.last_s = std::max(before.last_s, call.started_s);
  }
  before.ended = folder.calls().size();
  return before;
}

void show(const CallsProgress& progress, const CallsSummary& so_far) {
  const std::string mean = so_far.mos ? fmt::format(", mean {} {:.2f}", mos_name(so_far.mode), so_far.mos->mean) : "";
  move_cursor(std::cerr, kToLineStart);
  std::cerr << fmt::format(
                   "{:.0f} s: {} of {} calls up, {} dialling, {} to score; {} ended ({} scored, {} failed, "
                   "{} spoilt{})",
                   progress.passed_s, progress.up, progress.at_once, progress.dialling, progress.scoring,
                   progress.ended, so_far.scored, so_far.failed, so_far.spoilt, mean)
            << std::flush;
}

/// Writes the figures for Prometheus, not more often than they are collected.
class MetricsFile {
 public:
  explicit MetricsFile(std::filesystem::path file) : file_(std::move(file)) {}
  Status tell(const CallsFolder& folder, const CallsProgress& progress, bool at_once = false) {
    const auto now = std::chrono::steady_clock::now();
    if (file_.empty() || (!at_once && now < next_)) return success();
    next_ = now + std::chrono::seconds(5);
    return write_file_atomically(file_,
                                 calls_metrics(summarise(folder.calls(), folder.plan()), progress, folder.plan()));
  }

 private:
  const std::filesystem::path file_;
  std::chrono::steady_clock::time_point next_{};
};

int conclude(const CallsOptions& options, CallsFolder& folder, const CallsDone& done) {
  const RampFound* const ramp = done.ramp ? &*done.ramp : nullptr;
  const CallsSummary summary = summarise(folder.calls(), folder.plan());
  if (const Status written = folder.finish(summary, ramp); !written) return report_error(written.error());
  if (options.json) {
    std::cout << to_json(summary, folder.plan(), ramp).dump(2) << std::endl;
  } else if (!options.json_lines) {
    for (const auto& [what, figure] : calls_rows(summary, folder.plan(), ramp))
      std::cout << fmt::format("{:26} {}\n", what, figure);
    std::cout << "Page: " << (folder.folder() / "calls.html").string() << std::endl;
  }
  if (done.cancelled) {
    return report_error({ErrorCode::cancelled, fmt::format("stopped by the user; continue with: vqas calls --resume {}",
                                                           folder.folder().string())});
  }
  // A ramp is there to find the step that does not hold.
  if (ramp != nullptr) return ramp->held ? kOk : kFailed;
  return exit_code_of(summary.verdict);
}

/// Fails with io where a file cannot be written in its folder. What is there is kept.
Status try_metrics_file(const std::string& file) {
  if (file.empty()) return success();
  std::error_code failed;
  if (std::filesystem::is_directory(file, failed)) return Error{ErrorCode::io, file + " is a folder, not a file"};
  const std::string trial = file + ".trial";
  if (const Status written = write_file_atomically(trial, ""); !written) return written;
  std::filesystem::remove(trial, failed);
  return success();
}

int calls(const CallsOptions& options) {
  // Before --force replaces what is there.
  if (const Status writable = try_metrics_file(options.metrics_file); !writable) return report_error(writable.error());
  auto opened = folder_of(options);
  if (!opened) return report_error(opened.error(), options.resume.empty() ? options.folder : options.resume);
  CallsFolder& folder = *opened;
  const CallsPlan& plan = folder.plan();
  const auto corpus = corpus_of(plan);
  if (!corpus) return report_error(corpus.error());
  if (corpus->digest() != folder.corpus_digest())
    return report_error({ErrorCode::bad_input, "the corpus is not the one with which these calls were begun"});
  if (const Status allowed = allow_open_files(files_for_calls(std::max(plan.at_once, plan.ramp_to))); !allowed)
    return report_error(allowed.error());
  const bool terminal = ::isatty(STDERR_FILENO) == 1 && !options.json_lines;
  CallsEvents events;
  events.ended = [&](CallOutcome call, const Signal& recording) {
    if (options.json_lines)
      std::cout << to_json(call).dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
    return folder.add(std::move(call), recording);
  };
  events.traced = [&](std::uint32_t number, const std::string& entries) { return folder.trace(number, entries); };
  MetricsFile metrics(options.metrics_file);
  if (const Status written = metrics.tell(folder, {}, true); !written) return report_error(written.error());
  events.progressed = [&](const CallsProgress& progress) {
    if (terminal) show(progress, summarise(folder.calls(), plan));
    (void)metrics.tell(folder, progress);
  };
  events.noticed = [terminal](const std::string& what) {
    if (terminal) move_cursor(std::cerr, kToLineStart);
    std::cerr << "vqas: " << what << ".\n";
  };
  if (folder.damaged() > 0)
    events.noticed(
        fmt::format("{} lines of {} are damaged or missing; their calls are lost", folder.damaged(), kCallsFile));
  return work_until_interrupted([] {},
                                [&](const std::atomic<bool>& cancelled) -> int {
                                  const auto done = run_calls(plan, *corpus, before(folder), events, cancelled);
                                  if (terminal) move_cursor(std::cerr, kToLineStart);
                                  (void)metrics.tell(folder, {}, true);
                                  return done ? conclude(options, folder, *done) : report_error(done.error());
                                });
}

/// An option that changes the plan where it is given.
template <typename T, typename Apply>
CLI::Option* change(CLI::App& command, const std::shared_ptr<CallsOptions>& options, const char* name, const char* help,
                    Apply apply) {
  return command.add_option_function<T>(
      name,
      [options, apply](const T& value) {
        options->changes.push_back([apply, value](CallsPlan& plan) -> Status { return apply(plan, value); });
      },
      help);
}

void add_plan_options(CLI::App& command, const std::shared_ptr<CallsOptions>& options) {
  const auto set = [](auto CallsPlan::*member) {
    return [member](CallsPlan& plan, const auto& value) {
      plan.*member = value;
      return success();
    };
  };
  change<std::string>(command, options, "--line", "sip:USER@HOST;dial=USER@HOST;… as in libvqas/doc/sip.md",
                      set(&CallsPlan::line));
  change<std::string>(command, options, "--far-end", "what the far end does: echo, send or listen; echo unless given",
                      [](CallsPlan& plan, const std::string& word) {
                        plan.far_end = word == "send" ? FarEnd::send : word == "listen" ? FarEnd::listen : FarEnd::echo;
                        return success();
                      })
      ->check(CLI::IsMember({"echo", "send", "listen"}));
  change<std::string>(command, options, "--mode",
                      "both: each score also on the narrowband scale, at a line with hd=yes; limits keep to its own",
                      [](CallsPlan& plan, const std::string&) {
                        plan.narrowband_too = true;
                        return success();
                      })
      ->check(CLI::IsMember({"both"}));
  change<std::size_t>(command, options, "--at-once", "calls at a time; 1 unless given", set(&CallsPlan::at_once))
      ->check(whole_number(1, kMostCallsAtOnce));
  change<double>(command, options, "--per-s", "calls begun per second at most; 1 unless given", set(&CallsPlan::per_s));
  change<std::size_t>(command, options, "--total", "calls in all", set(&CallsPlan::total))
      ->check(whole_number(1, kMostCalls));
  change<std::string>(command, options, "--for", "begin no call after this time: 90s, 45m, 2h",
                      [](CallsPlan& plan, const std::string& text) -> Status {
                        const auto seconds = duration_s(text, "--for");
                        if (!seconds) return seconds.error();
                        plan.for_s = *seconds;
                        return success();
                      });
  change<std::string>(command, options, "--ramp",
                      "raise the calls at a time, 1..200, until a step does not hold; needs a limit",
                      [](CallsPlan& plan, const std::string& text) { return read_ramp(text, plan); });
  change<std::vector<std::string>>(command, options, "--stimuli", "these stimuli; default: all",
                                   set(&CallsPlan::stimuli))
      ->delimiter(',');
  change<std::size_t>(command, options, "--each", "sentences in each call; 1 unless given", set(&CallsPlan::each));
  change<double>(command, options, "--limit-mos", "the mean must lie above this, 1 to 5",
                 [](CallsPlan& plan, double value) {
                   plan.limit_mos = value;
                   return success();
                 });
  change<double>(command, options, "--limit-failed-percent", "at most this share of the calls may have no score",
                 [](CallsPlan& plan, double value) {
                   plan.limit_failed_percent = value;
                   return success();
                 });
  change<double>(command, options, "--late-ms",
                 "a packet that this machine sends later than this spoils its call; 15 unless given",
                 set(&CallsPlan::late_ms));
  change<std::size_t>(command, options, "--worst", "keep the recordings of so many worst calls; 10 unless given",
                      set(&CallsPlan::worst));
}

}  // namespace

void add_calls_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<CallsOptions>();
  CLI::App* command = app.add_subcommand("calls", "make many SIP calls at a time, and score every one");
  command->add_option("PLAN", options->plan_file, "plan in TOML (libvqas/doc/calls.md); options replace its values");
  command->add_option("--out", options->folder, "folder for the calls");
  command->add_option("--metrics-file", options->metrics_file,
                      "file ending in .prom for Prometheus' textfile collector, written every 5 s and at the end");
  command->add_option("--resume", options->resume, "continue the calls in this folder, by their own plan");
  add_plan_options(*command, options);
  add_corpus_option(*command, options->corpus);
  command->add_flag("--force", options->force, "use the folder even if it is not empty; replaces calls in it");
  command->add_flag("--json", options->json, "print calls.json instead of the table");
  command->add_flag("--json-lines", options->json_lines, "print one line of JSON for each call as it ends");
  command->footer(
      "Examples:\n"
      "  vqas answer --line sip:4712@127.0.0.1:5062 &\n"
      "  vqas calls --line \"sip:4711@127.0.0.1;dial=4712@127.0.0.1:5062\" --at-once 50 --per-s 10 --total 200 --out "
      "calls\n"
      "  vqas calls plan.toml --out calls\n"
      "  vqas calls --resume calls");
  command->callback([&action, options] { action = [options] { return calls(*options); }; });
}

}  // namespace vqas::cli
