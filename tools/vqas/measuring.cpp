#include "measuring.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "baseline.h"
#include "command.h"
#include "event_loop.h"
#include "run_folder.h"
#include "vqas/corpus/corpus.h"
#include "vqas/report/report.h"
#include "vqas/report/summary.h"

namespace vqas::cli {

Measuring::Measuring(RunPlan plan, Showing showing)
    : folder_(plan.folder),
      showing_(std::move(showing)),
      table_(::isatty(STDOUT_FILENO) == 1 && !showing_.json),
      controller_(std::move(plan)) {
  QObject::connect(&controller_, &Controller::paired, &controller_, [this] { begin_journal(); });
  QObject::connect(&controller_, &Controller::measured, &controller_,
                   [this](int direction, int stimulus) { append(direction, stimulus); });
  QObject::connect(&controller_, &Controller::progressed, &controller_,
                   [this](const RunProgress& progress) { table_.update(controller_.results(), progress); });
  QObject::connect(&controller_, &Controller::paused, &controller_, [this](const QString& why) {
    table_.clear();
    std::cerr << "vqas: "
              << (why.isEmpty() ? std::string("the call is there again; the run goes on")
                                : "the run waits: " + why.toStdString())
              << ".\n";
  });
  QObject::connect(&controller_, &Controller::finished, &controller_,
                   [this](const QString& error, int code) { finish(error.toStdString(), code); });
}

void Measuring::cancel() {
  ++cancelled_;
  controller_.cancel();
}

void Measuring::begin_journal() {
  if (const Status cleared = clear_earlier_run(folder_); !cleared) {
    fault_ = cleared.error();
    return controller_.cancel();
  }
  auto journal = RunJournal::create(folder_, controller_.results());
  if (journal) {
    journal_ = std::move(journal).value();
  } else {
    fault_ = journal.error();
    controller_.cancel();
  }
}

void Measuring::append(int direction, int stimulus) {
  if (!journal_ || fault_) return;
  const DirectionRun& run = controller_.results().directions.at(static_cast<std::size_t>(direction));
  const StimulusRun& measured = run.stimuli.at(static_cast<std::size_t>(stimulus));
  const Status kept = journal_->append(run.from, run.to, measured.stimulus, measured.measurements.back());
  if (kept) return;
  fault_ = kept.error();
  controller_.cancel();
}

void Measuring::summarise(const RunResults& results) {
  std::cout << results_table(results);
  for (const DirectionRun& direction : results.directions) {
    const DirectionSummary summary = vqas::summarise(direction, results.sampling);
    const auto counts = summary.outcomes;
    if (counts.of(Outcome::scored) == 0) {
      std::cout << fmt::format("{} to {}: no score; {} measurements, none scored\n", direction.from, direction.to,
                               counts.total());
      continue;
    }
    const ModelError error = model_error();
    std::cout << fmt::format(
        "{} to {}: mean MOS-LQON {:.2f}, {}; {} of {} measurements scored\n", direction.from, direction.to,
        summary.mean.mean, precision_in_words(summary.mean.half_width, summary.mean.confidence, error.mos, error.label),
        counts.of(Outcome::scored), counts.total());
  }
  std::cout << fmt::format("{:.0f} s of line time in {:.1f} s\n", results.line_seconds, results.wall_seconds);
  if (results.lost_seconds > 0) std::cout << fmt::format("the call was gone for {:.0f} s\n", results.lost_seconds);
  if (!results.baseline.empty()) std::cout << results.baseline << "\n";
}

void Measuring::finish(const std::string& error, int code) {
  table_.clear();
  RunResults results = controller_.results();
  results.baseline = baseline_sentence(results, baseline_folder(), results.finished_utc);
  int exit_code = kOk;
  if (fault_) {
    exit_code = report_error(*fault_);
  } else if (!error.empty()) {
    exit_code = report_error({static_cast<ErrorCode>(code), cause_.empty() ? error : error + " (" + cause_ + ")"});
  }
  fetched_ = exit_code == kOk || (exit_code == kCancelled && cancelled_ == 1);
  // Nothing was begun: there is nothing to write.
  if (!journal_) return EventLoop::end(exit_code);
  Status written = journal_->close(results);
  if (written) written = write_report(folder_, results, current_provenance(), showing_.again);
  if (!written) return EventLoop::end(report_error(written.error()));
  std::size_t scored = 0;
  for (const DirectionRun& direction : results.directions) {
    scored += vqas::summarise(direction, results.sampling).outcomes.of(Outcome::scored);
  }
  if (exit_code == kOk && scored == 0) exit_code = kNotMeasured;
  if (showing_.json) {
    std::cout << results_json(results) << std::flush;
  } else {
    summarise(results);
    const std::string& next = exit_code == kOk            ? showing_.next_command
                              : exit_code == kNotMeasured ? showing_.without_score
                                                          : showing_.after_failure;
    std::cout << fmt::format("Report: {}\nNext, try: {}\n", (folder_ / "report.html").string(), next) << std::flush;
  }
  EventLoop::end(exit_code);
}

Status check_stimuli(const std::filesystem::path& corpus, const std::vector<std::string>& stimuli) {
  const auto loaded = Corpus::load(corpus);
  if (!loaded) return loaded.error();
  for (auto one = stimuli.begin(); one != stimuli.end(); ++one) {
    if (std::find(stimuli.begin(), one, *one) == one) continue;
    return Error{ErrorCode::bad_input, fmt::format("--stimuli: {} is named twice; name each stimulus once", *one)};
  }
  for (const std::string& one : stimuli) {
    if (loaded->find(one) != nullptr) continue;
    return Error{ErrorCode::bad_input,
                 fmt::format("--stimuli: the corpus {} has no stimulus \"{}\"; \"vqas corpus list\" shows what it has",
                             corpus.string(), one)};
  }
  return success();
}

}  // namespace vqas::cli
