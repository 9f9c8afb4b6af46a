#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "measure/live_table.h"
#include "terminal/wait_teller.h"
#include "vqas/node/controller.h"
#include "vqas/store/journal.h"

namespace vqas::cli {

/// What a command shows of a run.
struct Showing {
  bool json_lines = false;    ///< a line of JSON for each event
  bool json = false;          ///< results.json on standard output instead of the summary
  std::string again;          ///< the command that makes the same run; empty: by the report's own knowledge
  std::string next_command;   ///< to try next when the run is complete
  std::string after_failure;  ///< to try next when it ended early
  std::string without_score;  ///< to try next when it is complete and nothing was scored
  /// Takes results.json in place of standard output, where it is a part of something larger.
  std::function<void(const std::string& json)> take_json;
  /// Puts beside the journal what else is to be there, before the journal is begun or gone on with.
  std::function<Status()> keep_beside;
  bool plan_is_kept = false;  ///< by `keep_beside`, already: it stays when an earlier run is cleared away
  RunAbout about;             ///< what the run belongs to; a uuid is made when it has none
};

/// A run as `vqas measure` and `vqas quickstart` make it: controller, journal, live table, results and report. Needs an
/// event loop; ends it with the exit code.
class Measuring {
 public:
  Measuring(RunPlan plan, Showing showing);
  void start() { controller_.start(); }
  /// Ends after what is in flight; a second call does not wait for it.
  void cancel();
  /// Something else than the controller knows why the line was lost.
  void note(const std::string& cause) { cause_ = cause; }
  /// The run began, so the folder holds its journal.
  bool begun() const { return journal_.has_value(); }
  double line_seconds() const { return controller_.results().line_seconds; }
  /// Everything that the nodes kept was fetched.
  bool fetched() const { return fetched_; }

 private:
  void begin_journal();
  void append(int direction, int stimulus);
  void finish(const std::string& error, int code);
  /// Hands on what operators noted meanwhile: where something sounds different, more is measured.
  void heed_notes();
  /// The results with what they belong to and with their notes.
  RunResults complete_results() const;
  void summarise(const RunResults& results) const;
  void tell_measurement(const DirectionRun& direction, const std::string& stimulus, const Measurement& measured) const;
  void tell_progress(const RunProgress& progress) const;
  void tell_end(const std::string& error, int exit_code) const;

  const std::filesystem::path folder_;
  const bool continues_;
  const double earlier_line_s_, earlier_wall_s_;
  const std::vector<std::uint32_t> earlier_numbers_;  ///< by direction, the next one when the run was broken off
  Showing showing_;
  LiveTable table_;
  WaitTeller waits_;
  std::optional<RunJournal> journal_;
  std::optional<Error> fault_;
  std::string cause_;
  int cancelled_ = 0;
  std::size_t notes_heeded_ = 0;
  bool fetched_ = false;
  Controller controller_;
};

/// Of a run that is complete: kNotMeasured without any score, else by the verdict.
int exit_code_of(const RunResults& results, const Provenance& provenance);

std::size_t count_of_stimuli(const std::filesystem::path& corpus);
/// Fails with bad_input when the corpus has no such stimulus or cannot be used. `where` says who named the stimuli.
Status check_stimuli(const std::filesystem::path& corpus, const std::vector<std::string>& stimuli,
                     const std::string& where = "--stimuli");

}  // namespace vqas::cli
