#pragma once

#include <functional>
#include <string>

#include "measure/live_table.h"
#include "terminal/event_loop.h"
#include "terminal/wait_teller.h"
#include "vqas/campaign/recorded_run.h"

namespace vqas::cli {

/// How a command shows a run.
struct Showing {
  bool json_lines = false;    ///< a line of JSON for each event
  bool json = false;          ///< results.json on standard output instead of the summary
  std::string next_command;   ///< to try next when the run is complete; empty: nothing is suggested
  std::string after_the_cap;  ///< the same if a stimulus reached its cap before its goal; empty: next_command
  std::string after_failure;  ///< to try next when it ended early
  std::string without_score;  ///< to try next when it is complete and nothing was scored
  /// Receives results.json in place of standard output when it is part of a larger document.
  std::function<void(const std::string& json)> take_json;
};

/// Prints a run as `vqas measure` and `vqas quickstart` do: live table, events, summary.
class RunPrinter {
 public:
  RunPrinter(std::filesystem::path folder, Showing showing);
  RunPrinter(const RunPrinter&) = delete;
  RunPrinter& operator=(const RunPrinter&) = delete;
  /// The events of a run, which this object must outlive. `ended` is called last, with the exit code.
  RunEvents events(std::function<void(int exit_code)> ended = {});

 private:
  void tell_measurement(const DirectionRun& direction, const StimulusRun& stimulus) const;
  void tell_progress(const RunProgress& progress) const;
  void tell_end(const EndOfRun& end, int exit_code) const;
  void summarise(const EndOfRun& end) const;
  void clear();
  int finish(const EndOfRun& end);

  const std::filesystem::path folder_;
  const Showing showing_;
  LiveTable table_;
  WaitTeller waits_;
};

/// Measures and prints a run until it ends or is interrupted; releases the folder and gives the exit code.
int measure_run(EventLoop& loop, RunPlan plan, RunRecorder& recorder, const Showing& showing);

}  // namespace vqas::cli
