#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <memory>
#include <optional>

#include "vqas/node/run_plan.h"
#include "vqas/receive/idle_input.h"

namespace vqas {

/// Commands two nodes: pairs them, sends rounds of transmissions in both directions, lets one sampler per stimulus and
/// direction decide, collects measurements and recordings. Lives in one thread with a Qt event loop; all signals come
/// from there. Every measurement is announced after its recording is on disk.
class Controller : public QObject {
  Q_OBJECT
 public:
  explicit Controller(RunPlan plan, QObject* parent = nullptr);
  ~Controller() override;

  void start();
  /// Stops after the current transmission; finished() follows. A second call stops without waiting.
  void cancel();
  /// The same for another reason than the user's wish: finished() reports `why`, and io stops the stimuli as
  /// StopReason::disk.
  void stop(const Error& why);
  /// Pauses: what is being sent is finished and counts, then nothing is sent, and the nodes stay held; held() follows.
  /// Transmissions that were announced to a node and not sent get new numbers. Does nothing when it is held already.
  void hold();
  /// Ends the pause, also before held().
  void carry_on();
  /// For an operator whose impression differs from the score of this measurement: measures one more step of its
  /// stimulus, never beyond the cap. Does nothing when the run is over or has no such measurement.
  void measure_more(End from, std::uint32_t sequence);
  /// Measurements so far; complete after finished().
  const RunResults& results() const;
  /// The run id in this run's marks (RunPlan::run_id); nothing before paired().
  std::optional<std::uint32_t> run_id() const;

 signals:
  /// Both nodes are held and fit; results() has line, directions, stimuli and corpus, and no measurements yet.
  void paired();
  /// `direction` and `stimulus` index results().directions and its stimuli; the measurement is the last one there.
  void measured(int direction, int stimulus);
  void progressed(vqas::RunProgress progress);
  /// The call is lost, or nothing has come through the line yet, and the run waits. An empty text: the run continues.
  void paused(QString why);
  /// Nothing is on the line any more, because of hold().
  void held();
  /// A mark is due in a direction in which no mark has ever arrived in this run, or which carries no signal any more.
  /// Emitted once a second, from a few seconds after its departure. Only for lines in real time.
  void waiting(vqas::MarkWait wait);
  /// The run waits for this node, "node b at ws://…", which is out of reach. An empty text: both are connected again.
  void out_of_reach(QString node);
  /// A sentence for the operator at the line; the run continues.
  void noticed(QString what);
  /// The run is over; `error` is empty, or the reason for an early end. `code` is an ErrorCode when there is an error.
  void finished(QString error, int code);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
