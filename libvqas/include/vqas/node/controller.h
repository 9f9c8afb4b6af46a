#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/node/run_lock.h"
#include "vqas/receive/idle_input.h"
#include "vqas/run/run.h"
#include "vqas/run/session_record.h"

namespace vqas {

/// What lets a controller in at a node that speaks TLS.
struct NodeAccess {
  std::string fingerprint;  ///< of its certificate, "sha256:…"; nothing else is spoken with
  std::string token;        ///< empty: none is sent
};

/// A run that was broken off.
struct RunContinuation {
  RunResults so_far;
  SessionRecord session;
};

/// What a controller is to do.
struct RunPlan {
  std::string node_a, node_b;     ///< addresses of the two nodes' control sockets, "ws://127.0.0.1:PORT", "wss://…"
  NodeAccess access_a, access_b;  ///< where they are "wss://…"
  std::filesystem::path corpus;   ///< folder of the corpus that the ends must hold too
  std::vector<std::string> stimuli;  ///< ids; empty: all
  bool a_to_b = true, b_to_a = true;
  SamplerOptions sampling;
  /// Line time of the run: nothing is sent that would end after it, waiting for what does not arrive comes on top. 0:
  /// no such cap.
  double cap_line_time_s = 0;
  std::uint64_t seed = 1;
  /// Carried by each mark, so that what is still on the line of another run is not taken for one of this; 24 bits.
  /// Nothing: from the seed and, in virtual time, the rounds that the nodes have seen, in real time, by chance.
  std::optional<std::uint32_t> run_id;
  std::filesystem::path folder;  ///< where recordings go, under recordings/
  Duplex duplex = Duplex::automatic;
  /// Program that makes the call again when it is gone, run by the shell; empty: the run waits for the operators, as
  /// long as link_patience_s says.
  std::string redial;
  int most_redials = 5;         ///< in a row without a measurement in between
  double redial_s = 5;          ///< time that a call may take to be there again, after the program ended; between looks
  double guard_s = 0.05;        ///< silence between marks and speech, 0.05..1
  double within_s = 15;         ///< how long a receiver waits for a transmission's leading mark; above the line's delay
  std::string holder = "vqas";  ///< who holds the nodes, told to whoever else wants them
  /// How long a node or the line may be out of reach until the run ends, in s: nothing is lost meanwhile, the nodes
  /// keep what they measure. 0: at once.
  double link_patience_s = 0;
  std::optional<RunContinuation> continues;  ///< goes on with this run, in its folder
  /// The claim on `folder`; without one the controller takes it, and keeps it as long as it lives. Who reads from the
  /// folder what is to be gone on with takes it before.
  std::shared_ptr<RunLock> lock;
};

/// What of a plan shapes a run and is not in its results, into the record, and back: what a run that is gone on with
/// has to hold to. Re-entrant.
void describe(const RunPlan& plan, SessionRecord& record);
void take_plan(const SessionRecord& record, RunPlan& plan);

/// How far a run has come.
struct RunProgress {
  std::size_t measured = 0;        ///< measurements made so far
  std::size_t expected_total = 0;  ///< by what the samplers expect now
  double remaining_s = 0;          ///< wall-clock estimate, < 0 when unknown
};

/// Commands two nodes: pairs them, sends rounds of transmissions in both directions, lets one sampler for each stimulus
/// and direction decide, collects measurements and recordings. Lives in one thread with a Qt event loop; all signals
/// come from there. Every measurement is announced after its recording is on disk.
class Controller : public QObject {
  Q_OBJECT
 public:
  explicit Controller(RunPlan plan, QObject* parent = nullptr);
  ~Controller() override;

  void start();
  /// Stops after what is in flight; finished() follows. A second call does not wait.
  void cancel();
  /// The same, but not because somebody wished it: finished() tells `why`, and io stops the stimuli as
  /// StopReason::disk.
  void stop(const Error& why);
  /// An operator hears something else than the score of this measurement says: a step more of its stimulus is measured,
  /// never beyond the cap. Nothing when the run is over or has no such measurement.
  void measure_more(const std::string& from, const std::string& to, std::uint32_t sequence);
  /// What has been measured so far; complete after finished().
  const RunResults& results() const;
  /// What this run's marks carry (RunPlan::run_id); nothing before paired().
  std::optional<std::uint32_t> run_id() const;

 signals:
  /// Both nodes are taken and fit; results() names line, directions, stimuli and corpus. Nothing was measured yet.
  void paired();
  /// `direction` and `stimulus` index results().directions and its stimuli; the measurement is the last one there.
  void measured(int direction, int stimulus);
  void progressed(vqas::RunProgress progress);
  /// The call is gone, or nothing has come through the line yet, and the run waits; or, with an empty text, it goes on.
  void paused(QString why);
  /// No mark of a direction has ever come in this run, and one is due: told from a few seconds behind its departure on,
  /// once a second. Lines in real time only.
  void waiting(vqas::MarkWait wait);
  /// The run waits for this node, "node b at ws://…", which is out of reach; or, with an empty text, both are there
  /// again.
  void out_of_reach(QString node);
  /// What whoever stands at the line should know, one sentence; the run goes on.
  void noticed(QString what);
  /// The run is over; `error` is empty, or tells what ended it early. `code` is an ErrorCode when there is an error.
  void finished(QString error, int code);

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
