#include "measure/run_printer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "terminal/command.h"
#include "vqas/report/findings.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/run/call_levels.h"

namespace vqas::cli {

using Json = nlohmann::ordered_json;

namespace {

bool reached_cap(const RunResults& results) {
  return std::ranges::any_of(results.directions, [](const DirectionRun& direction) {
    return std::ranges::find(direction.stimuli, StopReason::cap_count, &StimulusRun::stopped_because) !=
           direction.stimuli.end();
  });
}

// A mark has come in some direction: there was a call.
bool was_heard(const RunResults& results) {
  return std::ranges::any_of(results.directions, [](const DirectionRun& direction) {
    return std::ranges::any_of(direction.stimuli, [](const StimulusRun& stimulus) {
      return std::ranges::any_of(stimulus.measurements, [](const Measurement& one) {
        return one.mos_lqo || one.marks_found.value_or(MarksFound::none) != MarksFound::none;
      });
    });
  });
}

}  // namespace

RunPrinter::RunPrinter(std::filesystem::path folder, Showing showing)
    : folder_(std::move(folder)),
      showing_(std::move(showing)),
      table_(::isatty(STDOUT_FILENO) == 1 && !showing_.json && !showing_.json_lines) {}

RunEvents RunPrinter::events(std::function<void(int)> ended) {
  RunEvents events;
  events.measured = [this](const DirectionRun& direction, const StimulusRun& stimulus) {
    tell_measurement(direction, stimulus);
  };
  events.progressed = [this](const RunResults& results, const RunProgress& progress) {
    table_.update(results, progress);
    tell_progress(progress);
  };
  events.waiting = [this](const MarkWait& wait) {
    table_.clear();
    waits_.tell(wait);
  };
  events.paused = [this](const std::string& why) {
    clear();
    std::cerr << "vqas: " << (why.empty() ? "the call is there again; the run continues" : "the run waits: " + why)
              << ".\n";
  };
  events.noticed = [this](const std::string& what) {
    clear();
    std::cerr << "vqas: " << what << ".\n";
  };
  events.stopping = [this] {
    table_.clear();
    std::cerr
        << "vqas: stopping after the transmissions in progress (up to 15 s); interrupt again to stop immediately.\n";
  };
  events.finished = [this, ended = std::move(ended)](const EndOfRun& end) {
    const int exit_code = finish(end);
    if (ended) ended(exit_code);
  };
  return events;
}

void RunPrinter::clear() {
  table_.clear();
  waits_.clear();
}

void RunPrinter::tell_measurement(const DirectionRun& direction, const StimulusRun& stimulus) const {
  if (!showing_.json_lines) return;
  const Measurement& measured = stimulus.measurements.back();
  Json line = {{"event", "measured"},
               {"from", name_of(direction.from)},
               {"to", name_of(direction.to())},
               {"stimulus", stimulus.stimulus},
               {"sequence", measured.sequence},
               {"outcome", to_string(measured.outcome)},
               {"mos_lqo", nullptr}};
  if (measured.mos_lqo) line["mos_lqo"] = *measured.mos_lqo;
  if (measured.mode != ScoreMode::narrowband) line["score_mode"] = to_string(measured.mode);
  if (!measured.reason.empty()) line["reason"] = measured.reason;
  std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

void RunPrinter::tell_progress(const RunProgress& progress) const {
  if (!showing_.json_lines) return;
  Json line = {{"event", "progress"},
               {"measured", progress.measured},
               {"expected_total", progress.expected_total},
               {"remaining_s", nullptr}};
  if (progress.remaining_s >= 0) line["remaining_s"] = std::round(10 * progress.remaining_s) / 10;
  std::cout << line.dump() << std::endl;
}

void RunPrinter::tell_end(const EndOfRun& end, int exit_code) const {
  if (!showing_.json_lines) return;
  Json line = {{"event", "finished"}, {"exit_code", exit_code}, {"error", end.error}, {"folder", folder_.string()}};
  if (end.run_id) line["run_id"] = *end.run_id;
  std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

void RunPrinter::summarise(const EndOfRun& end) const {
  const RunResults& results = end.results;
  std::cout << results_table(results);
  for (const DirectionRun& direction : results.directions) {
    const DirectionSummary summary = vqas::summarise(direction, results.sampling);
    const ModelError error = model_error(results.mode);
    for (const StimulusRun& stimulus : direction.stimuli) {
      const std::string words = conditional_in_words(vqas::summarise(stimulus));
      if (!words.empty() && stimulus.interval.n > 0)
        std::cout << fmt::format("{} {}: {}\n", direction_words(direction.from), stimulus.stimulus, words);
    }
    std::cout << fmt::format("{}: {}\n", direction_words(direction.from),
                             mean_in_words(summary, error.mos, error.label, results.mode));
  }
  if (const auto judged = judge_run(results, current_provenance(results.mode))) {
    std::cout << fmt::format("limit {:.2f} {}: {}\n", *results.about.limit_mos, scale_name(results.mode),
                             to_string(judged->verdict));
    for (std::size_t i = 0; i < judged->directions.size(); ++i)
      std::cout << fmt::format("  {}: {}, {}\n", direction_words(results.directions[i].from),
                               to_string(judged->directions[i].verdict), judged->directions[i].reason);
  } else if (results.about.limit_mos) {
    std::cout << fmt::format("limit {:.2f} {}: not measured\n", *results.about.limit_mos, scale_name(results.mode));
  }
  std::cout << fmt::format("{:.0f} s of line time in {:.1f} s", results.line_seconds, results.wall_seconds);
  if (end.resumed)
    std::cout << fmt::format(" in all; since the run was resumed {:.0f} s in {:.1f} s",
                             results.line_seconds - end.earlier_line_s, results.wall_seconds - end.earlier_wall_s);
  std::cout << fmt::format("; seed {}", results.seed);
  if (end.run_id) std::cout << fmt::format(", run id {}", *end.run_id);
  std::cout << "\n";
  if (const std::string cap = cap_in_words(results); !cap.empty()) std::cout << cap << "\n";
  if (results.lost_seconds > 0)
    std::cout << fmt::format(
        "{} for {:.0f} s\n",
        was_heard(results) ? "the call or a node was gone" : "the call was not there yet, or a node was missing,",
        results.lost_seconds);
  for (const std::string& warning : call_warnings(results)) std::cout << warning << "\n";
  if (!results.baseline.empty()) std::cout << results.baseline << "\n";
}

int RunPrinter::finish(const EndOfRun& end) {
  clear();
  const int exit_code = exit_code_of(end.verdict);
  // A full disk also prevents the report that would show the error.
  const auto tell_fault = [&](const Error& fault) {
    if (report_error(fault) == kIo && end.begun && !showing_.after_failure.empty())
      std::cerr << fmt::format("vqas: the measurements in {} are kept; remove the cause, then give: {}\n",
                               folder_.string(), showing_.after_failure);
  };
  if (end.fault) tell_fault(*end.fault);
  if (end.not_written) {
    if (!end.fault || verdict_of(*end.fault) != RunVerdict::io) tell_fault(*end.not_written);
  }
  tell_end(end, exit_code);
  if (end.not_written) return exit_code;
  if (!end.begun || showing_.json_lines) return exit_code;  // nothing to show, or everything is printed
  if (showing_.json) {
    if (showing_.take_json) {
      showing_.take_json(results_json(end.results));
    } else {
      std::cout << results_json(end.results) << std::flush;
    }
    return exit_code;
  }
  summarise(end);
  const bool complete = exit_code == kOk || exit_code == kFailed || exit_code == kUndecided;
  const std::string& next = complete && reached_cap(end.results) && !showing_.after_the_cap.empty()
                                ? showing_.after_the_cap
                            : complete                  ? showing_.next_command
                            : exit_code == kNotMeasured ? showing_.without_score
                                                        : showing_.after_failure;
  std::cout << fmt::format("Report: {}\n", (folder_ / "report.html").string());
  if (!next.empty()) std::cout << fmt::format("Next, try: {}\n", next);
  std::cout << std::flush;
  return exit_code;
}

int measure_run(EventLoop& loop, RunPlan plan, RunRecorder& recorder, const Showing& showing) {
  RunPrinter printer(recorder.folder(), showing);
  RecordedRun run(std::move(plan), recorder, printer.events(EventLoop::end));
  loop.on_interrupt([&run] { run.cancel(); });
  run.start();
  const int exit_code = loop.run();
  recorder.leave(false);
  return exit_code;
}

}  // namespace vqas::cli
