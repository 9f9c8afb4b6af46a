#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <mutex>

#include "corpus/corpus_folder.h"
#include "line/line_only_commands.h"
#include "line/line_work.h"
#include "measure/live_table.h"
#include "terminal/end_time.h"
#include "terminal/plain_streams.h"
#include "terminal/refused_start.h"
#include "terminal/whole_number.h"
#include "vqas/campaign/listener_end.h"
#include "vqas/campaign/listener_run.h"
#include "vqas/line/open_line.h"
#include "vqas/node/line_only.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/run/recording_name.h"
#include "vqas/score/score.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/json_text.h"

namespace vqas::cli {
namespace {

struct ListenOptions {
  std::string end = "b", line, corpus, until, folder;
  bool silent = false, resume = false, force = false, json = false;
  ListenPlan plan;
};

std::string now_utc() {
  return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

const char* name_of(ListenEnd end) {
  switch (end) {
    case ListenEnd::enough:
      return "enough";
    case ListenEnd::sender_finished:
      return "sender_finished";
    case ListenEnd::silence:
      return "silence";
    case ListenEnd::over:
      return "until";
    case ListenEnd::cancelled:
      return "cancelled";
    case ListenEnd::line_lost:
      break;
  }
  return "line_lost";
}

std::size_t count_scored(const RunResults& results) {
  std::size_t count = 0;
  for (const StimulusRun& one : results.directions.front().stimuli) count += one.interval.n;
  return count;
}

/// Writes a recording of the run; returns `name` as its name within the folder.
Result<std::string> keep(const RunRecorder& recorder, const std::string& name, const Signal& recording) {
  if (const Status written = write_audio(recorder.folder() / name, recording, AudioFormat::flac16); !written)
    return written.error();
  return name;
}

ErrorCode code_of(ListenEnd end) {
  return end == ListenEnd::cancelled ? ErrorCode::cancelled : ErrorCode::line_lost;
}

void summarise(const ListenResults& heard, const ListenOptions& options) {
  if (options.json) {
    auto json = own_json(results_json(heard.results));
    json["over_the_line"] = {{"ended", name_of(heard.end)},
                             {"stimuli_reached", heard.reached},
                             {"stimuli_abandoned", heard.abandoned},
                             {"rounds_needed", heard.rounds_needed},
                             {"transmissions_repeated", heard.repeated}};
    std::cout << json.dump(2) << std::endl;
    return;
  }
  std::cout << results_table(heard.results);
  const ScoreMode mode = heard.results.mode;
  const ModelError error = model_error(mode);
  for (const DirectionRun& direction : heard.results.directions)
    std::cout << fmt::format(
        "{}: {}\n", direction_words(direction.from),
        mean_in_words(vqas::summarise(direction, heard.results.sampling), error.mos, error.label, mode));
  const std::size_t all = heard.results.directions.front().stimuli.size();
  std::cout << fmt::format("{} of {} stimuli are measured well enough", heard.reached, all);
  if (heard.abandoned > 0) {
    std::cout << fmt::format(
        "; {} stopped before, at the cap of {} measurements (to raise it: vqas listen --resume --cap {}) or after too "
        "many "
        "failures",
        heard.abandoned, heard.results.sampling.cap_count, 2 * heard.results.sampling.cap_count);
  }
  if (heard.reached + heard.abandoned < all) {
    std::cout << fmt::format(
        "; the rest need at least {} more rounds (vqas send --rounds {}, then vqas listen --resume)",
        heard.rounds_needed, heard.rounds_needed);
  }
  if (heard.repeated > 0)
    std::cout << fmt::format("; heard again and not counted again: {} transmissions", heard.repeated);
  std::cout << fmt::format(".\nReport: {}\n", (std::filesystem::path(options.folder) / "report.html").string());
}

int listen(ListenOptions options) {
  ListenPlan& plan = options.plan;
  plan.end = options.end == "a" ? End::a : End::b;
  plan.answers = !options.silent;
  if (const Status named = check_line_name(options.line, plan.end); !named) return report_error(named.error());
  auto over = until(options.until);
  if (!over) return report_error(over.error());
  plan.over = *std::move(over);
  const auto corpus_at = corpus_folder(options.corpus);
  if (!corpus_at) return report_error(corpus_at.error());
  const auto corpus = Corpus::load(*corpus_at);
  if (!corpus) return report_error(corpus.error());
  const auto line = open_line_soon(options.line, plan.end);
  if (!line) return report_error(line.error());
  if (const Status possible = check_listening(**line, *corpus, plan); !possible) return report_error(possible.error());
  auto run = prepare_listener_run(options.folder, options.resume, options.force, corpus->digest(),
                                  fmt::format("vqas listen --end {} --line {}{} --out again", options.end, options.line,
                                              plan.narrowband_too ? " --mode both" : ""));
  if (!run) return report_error(run.error(), options.folder);
  RunRecorder& recorder = run->recorder;
  plan.earlier = run->earlier;
  plan.last_sequence = run->last_sequence;
  plan.started_utc = plan.earlier ? plan.earlier->started_utc : now_utc();
  plan.about = recorder.about();
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  std::mutex terminal_lines;  // notices come from two threads
  DirectionRun direction;
  plan.begun = [&](const RunResults& results) {
    direction = results.directions.front();
    return recorder.begin(results);
  };
  plan.kept = [&](const std::string& stimulus, const Measurement& measurement, const Signal& recording) {
    return keep(recorder, recording_name(direction, stimulus, measurement.sequence), recording);
  };
  plan.kept_undecodable = [&](std::size_t number, const Signal& recording) {
    return keep(recorder, undecodable_name(number), recording);
  };
  plan.measured = [&](const RunResults& results, std::size_t stimulus) {
    const Measurement& last = results.directions.front().stimuli[stimulus].measurements.back();
    if (terminal) {
      const std::lock_guard lock(terminal_lines);
      move_cursor(std::cerr, kToLineStart);
      std::cerr << fmt::format("{} {}: {}; {} scored so far", results.directions.front().stimuli[stimulus].stimulus,
                               last.sequence,
                               last.mos_lqo ? fmt::format("{} {:.2f}", scale_name(last.mode), *last.mos_lqo)
                                            : std::string(to_string(last.outcome)),
                               count_scored(results))
                << std::flush;
    }
    return recorder.record(results, 0, stimulus);
  };
  plan.noticed = [&](const std::string& what) {
    const std::lock_guard lock(terminal_lines);
    if (terminal) move_cursor(std::cerr, kToLineStart);
    std::cerr << what << ".\n";
  };
  if (!run->notice.empty()) plan.noticed(run->notice);
  const CallFollower follower(**line, plan.end, options.folder, plan.noticed);
  return work_on_line(**line, [&](const std::atomic<bool>& cancelled) -> int {
    const auto began = std::chrono::steady_clock::now();
    auto heard = listen_on_line(**line, *corpus, plan, cancelled);
    if (terminal) move_cursor(std::cerr, kToLineStart);
    if (!heard) return report_error(heard.error());
    conclude_listening(*heard, plan, now_utc(),
                       std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    RunResults& results = heard->results;
    if (const Status written = recorder.finish(results); !written) return report_error(written.error());
    summarise(*heard, options);
    const bool fault = heard->end == ListenEnd::cancelled || heard->end == ListenEnd::line_lost;
    if (fault && !results.is_complete()) return report_error({code_of(heard->end), results.ended_because});
    return count_scored(results) > 0 ? kOk : kNotMeasured;
  });
}

}  // namespace

void add_listen_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ListenOptions>();
  SamplerOptions& sampling = options->plan.sampling;
  CLI::App* command = app.add_subcommand(
      "listen", "measure what \"vqas send\" sends from the other end, without any network between the ends");
  command->add_option("--line", options->line, "the line, as \"vqas node --help\" lists them")->required();
  command->add_option("--out", options->folder, "folder for results, recordings and report")->required();
  command->add_option("--end", options->end, "which end of the line this is")
      ->check(CLI::IsMember({"a", "b"}))
      ->capture_default_str();
  command
      ->add_option_function<std::string>(
          "--mode", [options](const std::string&) { options->plan.narrowband_too = true; },
          "both: on a line at 16 kHz, each score also on the narrowband scale")
      ->check(CLI::IsMember({"both"}));
  command->add_flag(
      "--silent", options->silent,
      "never answer: for a sender with --rounds, on a line where answers would disturb its transmissions");
  command->add_option("--until", options->until, "stop at this time: 17:30, or 90s, 45m, 2h from now");
  CLI::Option* const silence =
      command->add_option("--silence-s", options->plan.silence_s,
                          "stop when no mark came for this long, in s; if given, it also counts before the first mark");
  silence->check(CLI::Range(10.0, 86400.0))->capture_default_str();
  command->add_option("--cap", sampling.cap_count, "maximum of scored measurements of a stimulus")
      ->check(whole_number(sampling.first_count, 1000))
      ->capture_default_str();
  add_shared_options(*command, options->plan.guard_s, options->corpus);
  command->add_flag("--resume", options->resume, "resume the run in the folder");
  command->add_flag("--force", options->force, "use the folder even if it is not empty; replaces an earlier run in it");
  command->add_flag("--json", options->json, "print results.json and the rounds still needed instead of the summary");
  command->footer(
      "Examples:\n"
      "  vqas listen --line sim:127.0.0.1:7810/b --out results            # answers by marks\n"
      "  vqas listen --line sim:127.0.0.1:7810/b --out results --silent   # nothing goes back over this line\n"
      "Then start \"vqas send\" at the other end.");
  command->callback([&action, silence, options] {
    if (silence->count() > 0) options->plan.first_mark_within_s = options->plan.silence_s;
    action = [options] { return listen(*options); };
  });
}

}  // namespace vqas::cli
