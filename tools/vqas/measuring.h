#pragma once

#include <QObject>
#include <optional>
#include <string>

#include "live_table.h"
#include "vqas/node/controller.h"
#include "vqas/store/journal.h"

namespace vqas::cli {

/// What a command shows of a run.
struct Showing {
  bool json = false;         ///< results.json on standard output instead of the summary
  std::string again;         ///< the command that makes the same run; empty: by the report's own knowledge
  std::string next_command;  ///< to try next
};

/// A run as `vqas measure` and `vqas quickstart` make it: controller, journal, live table, results and report. Needs an
/// event loop; ends it with the exit code.
class Measuring {
 public:
  Measuring(RunPlan plan, Showing showing);
  void start() { controller_.start(); }
  void cancel() { controller_.cancel(); }
  /// Something else than the controller knows why the line was lost.
  void note(const std::string& cause) { cause_ = cause; }
  bool complete() const { return complete_; }

 private:
  void begin_journal();
  void append(int direction, int stimulus);
  void finish(const std::string& error, int code);
  void summarise();

  const std::filesystem::path folder_;
  const Showing showing_;
  LiveTable table_;
  std::optional<RunJournal> journal_;
  std::optional<Error> fault_;
  std::string cause_;
  bool complete_ = false;
  Controller controller_;
};

/// Fails with bad_input when the corpus has no such stimulus or cannot be used.
Status check_stimuli(const std::filesystem::path& corpus, const std::vector<std::string>& stimuli);

}  // namespace vqas::cli
