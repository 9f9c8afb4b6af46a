#include "measure/measuring.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "terminal/command.h"
#include "terminal/event_loop.h"
#include "vqas/campaign/baseline.h"
#include "vqas/campaign/run_folder.h"
#include "vqas/campaign/run_uuid.h"
#include "vqas/corpus/corpus.h"
#include "vqas/report/findings.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"
#include "vqas/run/call_levels.h"
#include "vqas/store/notes.h"

namespace vqas::cli {

using Json = nlohmann::ordered_json;

Measuring::Measuring(RunPlan plan, Showing showing)
    : folder_(plan.folder),
      continues_(plan.continues.has_value()),
      earlier_line_s_(
          plan.continues ? std::max(plan.continues->so_far.line_seconds, plan.continues->session.line_seconds) : 0),
      earlier_wall_s_(
          plan.continues ? std::max(plan.continues->so_far.wall_seconds, plan.continues->session.wall_seconds) : 0),
      earlier_numbers_(plan.continues ? plan.continues->session.next_sequence : std::vector<std::uint32_t>()),
      showing_(std::move(showing)),
      table_(::isatty(STDOUT_FILENO) == 1 && !showing_.json && !showing_.json_lines),
      controller_(std::move(plan)) {
  if (showing_.about.uuid.empty()) showing_.about.uuid = new_run_uuid();
  QObject::connect(&controller_, &Controller::paired, &controller_, [this] { begin_journal(); });
  QObject::connect(&controller_, &Controller::measured, &controller_,
                   [this](int direction, int stimulus) { append(direction, stimulus); });
  QObject::connect(&controller_, &Controller::progressed, &controller_, [this](const RunProgress& progress) {
    table_.update(controller_.results(), progress);
    tell_progress(progress);
  });
  QObject::connect(&controller_, &Controller::waiting, &controller_, [this](const MarkWait& wait) {
    table_.clear();
    waits_.tell(wait);
  });
  QObject::connect(&controller_, &Controller::paused, &controller_, [this](const QString& why) {
    table_.clear();
    waits_.clear();
    std::cerr << "vqas: "
              << (why.isEmpty() ? std::string("the call is there again; the run goes on")
                                : "the run waits: " + why.toStdString())
              << ".\n";
  });
  QObject::connect(&controller_, &Controller::noticed, &controller_, [this](const QString& what) {
    table_.clear();
    waits_.clear();
    std::cerr << "vqas: " << what.toStdString() << ".\n";
  });
  QObject::connect(&controller_, &Controller::finished, &controller_,
                   [this](const QString& error, int code) { finish(error.toStdString(), code); });
}

void Measuring::cancel() {
  if (++cancelled_ == 1 && begun()) {
    table_.clear();
    std::cerr << "vqas: stopping; what is under way is still measured, which takes up to 15 s; interrupt once more to "
                 "stop at once.\n";
  }
  controller_.cancel();
}

void Measuring::begin_journal() {
  const auto give_up = [this](const Error& why) {
    fault_ = why;
    controller_.stop(why);
  };
  if (const Status cleared = continues_ ? success() : clear_earlier_run(folder_, showing_.plan_is_kept); !cleared)
    return give_up(cleared.error());
  if (const Status kept = showing_.keep_beside ? showing_.keep_beside() : success(); !kept)
    return give_up(kept.error());
  auto journal = continues_ ? RunJournal::resume(folder_, complete_results(), earlier_numbers_)
                            : RunJournal::create(folder_, complete_results());
  if (!journal) return give_up(journal.error());
  journal_ = std::move(journal).value();
  // Only now: the journal may have lost what they hold.
  if (const Status cleared = continues_ ? clear_reports(folder_) : success(); !cleared) return give_up(cleared.error());
  // In a run that is gone on with all of them once more: what was measured for them already counts.
  heed_notes();
}

void Measuring::append(int direction, int stimulus) {
  if (!journal_ || fault_) return;
  const DirectionRun& run = controller_.results().directions.at(static_cast<std::size_t>(direction));
  const StimulusRun& measured = run.stimuli.at(static_cast<std::size_t>(stimulus));
  const Status kept = journal_->append(run.from, run.to, measured.stimulus, measured.measurements.back());
  if (kept) {
    tell_measurement(run, measured.stimulus, measured.measurements.back());
    return heed_notes();
  }
  fault_ = kept.error();
  controller_.stop(*fault_);
}

void Measuring::heed_notes() {
  const std::vector<OperatorNote> notes = read_notes(folder_);
  for (; notes_heeded_ < notes.size(); ++notes_heeded_) {
    const OperatorNote& note = notes[notes_heeded_];
    if (note.sounds_different) controller_.measure_more(note.from, note.to, note.sequence);
  }
}

RunResults Measuring::complete_results() const {
  RunResults results = controller_.results();
  results.about = showing_.about;
  if (journal_) results.notes = read_notes(folder_);
  return results;
}

int exit_code_of(const RunResults& results, const Provenance& provenance) {
  std::size_t scored = 0;
  for (const DirectionRun& direction : results.directions)
    scored += summarise(direction, results.sampling).outcomes.of(Outcome::scored);
  if (scored == 0) return kNotMeasured;
  const auto judged = judge_run(results, provenance);
  if (!judged || judged->verdict == LimitVerdict::pass) return kOk;
  return judged->verdict == LimitVerdict::fail ? kFailed : kUndecided;
}

void Measuring::tell_measurement(const DirectionRun& direction, const std::string& stimulus,
                                 const Measurement& measured) const {
  if (!showing_.json_lines) return;
  Json line = {{"event", "measured"},  {"from", direction.from},        {"to", direction.to},
               {"stimulus", stimulus}, {"sequence", measured.sequence}, {"outcome", to_string(measured.outcome)},
               {"mos_lqo", nullptr}};
  if (measured.mos_lqo) line["mos_lqo"] = *measured.mos_lqo;
  if (!measured.reason.empty()) line["reason"] = measured.reason;
  std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

void Measuring::tell_progress(const RunProgress& progress) const {
  if (!showing_.json_lines) return;
  Json line = {{"event", "progress"},
               {"measured", progress.measured},
               {"expected_total", progress.expected_total},
               {"remaining_s", nullptr}};
  if (progress.remaining_s >= 0) line["remaining_s"] = std::round(10 * progress.remaining_s) / 10;
  std::cout << line.dump() << std::endl;
}

void Measuring::tell_end(const std::string& error, int exit_code) const {
  if (!showing_.json_lines) return;
  Json line = {{"event", "finished"}, {"exit_code", exit_code}, {"error", error}, {"folder", folder_.string()}};
  if (const auto run_id = controller_.run_id()) line["run_id"] = *run_id;
  std::cout << line.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

void Measuring::summarise(const RunResults& results) const {
  std::cout << results_table(results);
  for (const DirectionRun& direction : results.directions) {
    const DirectionSummary summary = vqas::summarise(direction, results.sampling);
    const ModelError error = model_error();
    for (const StimulusRun& stimulus : direction.stimuli) {
      const std::string words = conditional_in_words(vqas::summarise(stimulus));
      if (!words.empty() && stimulus.interval.n > 0)
        std::cout << fmt::format("{} to {} {}: {}\n", direction.from, direction.to, stimulus.stimulus, words);
    }
    std::cout << fmt::format("{} to {}: {}\n", direction.from, direction.to,
                             mean_in_words(summary, error.mos, error.label));
  }
  if (const auto judged = judge_run(results, current_provenance())) {
    std::cout << fmt::format("limit {:.2f} MOS-LQON: {}\n", *results.about.limit_mos, to_string(judged->verdict));
    for (std::size_t i = 0; i < judged->directions.size(); ++i)
      std::cout << fmt::format("  {} to {}: {}, {}\n", results.directions[i].from, results.directions[i].to,
                               to_string(judged->directions[i].verdict), judged->directions[i].reason);
  }
  std::cout << fmt::format("{:.0f} s of line time in {:.1f} s", results.line_seconds, results.wall_seconds);
  if (continues_)
    std::cout << fmt::format(" in all; since the run was resumed {:.0f} s in {:.1f} s",
                             results.line_seconds - earlier_line_s_, results.wall_seconds - earlier_wall_s_);
  std::cout << fmt::format("; seed {}", results.seed);
  if (const auto run_id = controller_.run_id()) std::cout << fmt::format(", run id {}", *run_id);
  std::cout << "\n";
  if (const std::string cap = cap_in_words(results); !cap.empty()) std::cout << cap << "\n";
  if (results.lost_seconds > 0)
    std::cout << fmt::format("the call or a node was gone for {:.0f} s\n", results.lost_seconds);
  for (const std::string& warning : call_warnings(results)) std::cout << warning << "\n";
  if (!results.baseline.empty()) std::cout << results.baseline << "\n";
}

void Measuring::finish(const std::string& error, int code) {
  // A full disk, and with it the page that would say it.
  const auto tell_fault = [this](const Error& fault) {
    const int told = report_error(fault);
    if (told == kIo && journal_ && !showing_.after_failure.empty())
      std::cerr << fmt::format("vqas: what was measured is kept; when the cause is removed, continue with: {}\n",
                               showing_.after_failure);
    return told;
  };
  table_.clear();
  waits_.clear();
  RunResults results = complete_results();
  results.baseline = baseline_sentence(results, baseline_folder(), results.finished_utc);
  int exit_code = kOk;
  if (fault_) {
    exit_code = tell_fault(*fault_);
  } else if (!error.empty()) {
    exit_code = tell_fault({static_cast<ErrorCode>(code), cause_.empty() ? error : error + " (" + cause_ + ")"});
  }
  fetched_ = exit_code == kOk || (exit_code == kCancelled && cancelled_ == 1);
  // Nothing was begun: there is nothing to write.
  if (!journal_) {
    tell_end(error, exit_code);
    return EventLoop::end(exit_code);
  }
  Status written = journal_->close(results);
  if (written) written = write_report(folder_, results, current_provenance(), showing_.again);
  if (!written) return EventLoop::end(exit_code == kIo ? kIo : tell_fault(written.error()));
  if (exit_code == kOk) exit_code = exit_code_of(results, current_provenance());
  tell_end(error, exit_code);
  if (showing_.json_lines) {
    // All was told.
  } else if (showing_.json && showing_.take_json) {
    showing_.take_json(results_json(results));
  } else if (showing_.json) {
    std::cout << results_json(results) << std::flush;
  } else {
    summarise(results);
    const std::string& next = exit_code == kOk || exit_code == kFailed || exit_code == kUndecided
                                  ? showing_.next_command
                              : exit_code == kNotMeasured ? showing_.without_score
                                                          : showing_.after_failure;
    std::cout << fmt::format("Report: {}\nNext, try: {}\n", (folder_ / "report.html").string(), next) << std::flush;
  }
  EventLoop::end(exit_code);
}

std::size_t count_of_stimuli(const std::filesystem::path& corpus) {
  const auto loaded = Corpus::load(corpus);
  return loaded ? loaded->stimuli().size() : 0;
}

Status check_stimuli(const std::filesystem::path& corpus, const std::vector<std::string>& stimuli,
                     const std::string& where) {
  const auto loaded = Corpus::load(corpus);
  if (!loaded) return loaded.error();
  for (auto one = stimuli.begin(); one != stimuli.end(); ++one) {
    if (std::find(stimuli.begin(), one, *one) == one) continue;
    return Error{ErrorCode::bad_input, fmt::format("{}: {} is named twice; name each stimulus once", where, *one)};
  }
  for (const std::string& one : stimuli) {
    if (loaded->find(one) != nullptr) continue;
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: the corpus {} has no stimulus \"{}\"; \"vqas corpus list\" shows what it has", where,
                             corpus.string(), one)};
  }
  return success();
}

}  // namespace vqas::cli
