#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "model/run_state.h"
#include "vqas/campaign/run_verdict.h"
#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas::app {

/// A snapshot of a run's results that no thread changes.
using SharedResults = std::shared_ptr<const RunResults>;

/// How a run ended.
struct RunEnd {
  RunPhase phase = RunPhase::finished;        ///< finished, cancelled or failed
  RunVerdict verdict = RunVerdict::no_limit;  ///< of a run that finished
  std::optional<ErrorCode> code;              ///< kind of what went wrong
  QString message;         ///< what went wrong and the cure, without a final full stop; empty when nothing
  QString folder;          ///< where the results are; empty when nothing was written
  QString report;          ///< the report's file; empty if none was written
  bool resumable = false;  ///< it was interrupted, and can be resumed in its folder
};

/// One run, from start() to finished(). All signals come in the thread of the session. Destroying a session ends its
/// run; the measurements stay on disk.
class RunSession : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  virtual void start() = 0;
  /// Stops after what is in flight; finished() follows.
  virtual void cancel() = 0;
  /// Pauses the run after the sentence under way; held() follows. Or lets it carry on.
  virtual void hold(bool yes) = 0;
  /// Keeps an operator's note on a measurement of this run; a note that it sounds different requests more measurements.
  /// noted() follows.
  virtual void note(const OperatorNote& note) = 0;
  /// Answers asked_to_trust(): yes begins the run and remembers the nodes, no ends it.
  virtual void trust(bool yes) = 0;

 signals:
  void phase_changed(vqas::app::RunPhase phase);
  /// Results so far; comes several times a second at most.
  void updated(vqas::app::SharedResults results);
  /// `current` names the measurement made last: "M6, A to B".
  void progressed(vqas::RunProgress progress, QString current);
  /// Nothing is on the line any more, because of hold(); or, with false, the run carries on.
  void held(bool yes);
  /// A note was kept, and `follows` says what comes of it, if that is not that its stimulus is measured again; or, with
  /// a `fault`, it was not kept.
  void noted(QString fault, QString follows = {});
  /// The next run of a campaign begins in this folder.
  void run_begins(QString folder);
  /// What an operator should know meanwhile, one sentence; the run continues.
  void noticed(QString what);
  /// The run waits for the line or a node, "the line", "node b at ws://…"; with an empty text, it continues.
  void waiting(QString for_what);
  /// A mark of this direction is due, and the direction carries nothing; `what` says what its receiver hears and what
  /// to look at.
  void silent(vqas::End from, QString what);
  /// Nodes show certificates that were never seen before; `question` names them with their fingerprints. The run waits
  /// for trust().
  void asked_to_trust(QString question);
  /// The run is over, everything is written; `results` are the last ones.
  void finished(vqas::app::RunEnd end, vqas::app::SharedResults results);
};

}  // namespace vqas::app
