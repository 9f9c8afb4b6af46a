#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "vqas/campaign/run_recorder.h"
#include "vqas/campaign/run_verdict.h"
#include "vqas/node/run_plan.h"
#include "vqas/receive/idle_input.h"

class QTimer;

namespace vqas {

class Controller;

/// How a run ended, after everything was written.
struct EndOfRun {
  RunVerdict verdict = RunVerdict::no_limit;
  std::optional<Error> fault;        ///< what ended it early
  std::string error;                 ///< the same, in the controller's words
  std::optional<Error> not_written;  ///< why journal or report could not be written
  bool begun = false;                ///< the folder holds its journal
  bool fetched = false;              ///< the nodes keep nothing more of this run
  RunResults results;                ///< with tags, notes and baseline if it was begun
  std::optional<std::uint32_t> run_id;
  bool resumed = false;
  double earlier_line_s = 0, earlier_wall_s = 0;  ///< of a resumed run: used before it was resumed
};

/// The events of a run; each may be empty. They are called in the thread of the run.
struct RunEvents {
  /// The nodes are paired and the journal is begun; nothing was measured yet.
  std::function<void(const RunResults&)> begun;
  /// The last measurement of `stimulus` is in the journal.
  std::function<void(const DirectionRun&, const StimulusRun& stimulus)> measured;
  /// The results so far.
  std::function<void(const RunResults&, const RunProgress&)> progressed;
  /// A direction carries nothing (Controller::waiting).
  std::function<void(const MarkWait&)> waiting;
  /// The run waits, and why; or, with an empty text, it continues.
  std::function<void(const std::string& why)> paused;
  /// Nothing is on the line any more, because the run is held (Controller::hold()).
  std::function<void()> held;
  /// The named node is unreachable; with an empty text, both are reachable again.
  std::function<void(const std::string& node)> out_of_reach;
  /// What an operator should know, one sentence without its full stop; the run continues.
  std::function<void(const std::string&)> noticed;
  /// It was cancelled, and what is in flight is still measured; a second cancel() does not wait for it.
  std::function<void()> stopping;
  /// Another program asked to stop (operator_note.h): the receiver cancels what it measures. Empty: the run alone is
  /// cancelled.
  std::function<void()> stop_requested;
  std::function<void(const EndOfRun&)> finished;
};

/// What measures a run of a campaign. Lives in one thread with a Qt event loop.
class MeasuringRun {
 public:
  MeasuringRun() = default;
  MeasuringRun(const MeasuringRun&) = delete;
  MeasuringRun& operator=(const MeasuringRun&) = delete;
  virtual ~MeasuringRun() = default;
  /// The events of the run follow.
  virtual void start() = 0;
  /// Ends after what is in flight; a second call does not wait for it.
  virtual void cancel() = 0;
  /// After its end: releases what it holds besides its folder.
  virtual void leave() {}
  /// Line time used so far, in s.
  virtual double line_s() const = 0;
};

/// A run between two nodes, kept in its folder: a controller measures, a recorder writes, and operators' notes and
/// requests to stop (operator_note.h) take effect. Lives in one thread with a Qt event loop.
class RecordedRun : public MeasuringRun {
 public:
  /// `recorder` outlives the run, and is of the same folder as `plan`.
  RecordedRun(RunPlan plan, RunRecorder& recorder, RunEvents events);
  ~RecordedRun() override;
  void start() override;
  void cancel() override;
  double line_s() const override { return results().line_seconds; }
  /// As Controller has them.
  void hold();
  void carry_on();
  /// Reports why the line or a node is lost, if something other than the controller detects it; the first report
  /// counts.
  void line_lost_because(const std::string& cause);
  /// Requests more measurements where an operator noted a difference. Also done after each measurement.
  void heed_notes();
  /// Writes what there is, because the program ends in the middle of the run; no event follows.
  void close(const std::string& why);
  /// The results so far, of the controller alone.
  const RunResults& results() const;

 private:
  void begin();
  void record(int direction, int stimulus);
  void give_up(const Error& why);
  void finish(const std::string& error, int code);

  RunRecorder& recorder_;
  const RunEvents events_;
  EndOfRun end_;
  std::optional<Error> fault_;
  std::string cause_;
  int cancelled_ = 0;
  std::size_t notes_heeded_ = 0;
  bool over_ = false;
  std::unique_ptr<QTimer> looking_;  // for requests to stop
  std::unique_ptr<Controller> controller_;
};

}  // namespace vqas
