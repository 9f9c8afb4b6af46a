#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/node/run_lock.h"
#include "vqas/run/run.h"
#include "vqas/run/session_record.h"

namespace vqas {

/// Credentials for a node that uses TLS.
struct NodeAccess {
  std::string fingerprint;  ///< of its certificate, "sha256:…"; no other peer is accepted
  std::string token;        ///< empty: none is sent
};

/// An interrupted run.
struct RunContinuation {
  RunResults so_far;
  SessionRecord session;
};

/// The task of a controller.
struct RunPlan {
  std::string node_a, node_b;     ///< addresses of the two nodes' control sockets, "ws://127.0.0.1:PORT", "wss://…"
  NodeAccess access_a, access_b;  ///< used for "wss://…"
  std::filesystem::path corpus;   ///< folder of the corpus, which both ends must have too
  std::vector<std::string> stimuli;  ///< ids; empty: all
  bool a_to_b = true, b_to_a = true;
  /// The model of the scores. Wideband needs a line at 16 kHz at both ends.
  ScoreMode mode = ScoreMode::narrowband;
  bool narrowband_too = false;  ///< in wideband: each capture is scored in narrowband, too
  SamplerOptions sampling;
  /// Cap on the run's line time: no transmission is sent that would end after it; waiting for missing ones is extra. 0:
  /// no cap.
  double cap_line_time_s = 0;
  std::uint64_t seed = 1;
  /// In each mark, so that marks of another run are not taken for those of this one; 24 bits. Nothing: derived from the
  /// seed and, in virtual time, the rounds that the nodes have had; in real time, random.
  std::optional<std::uint32_t> run_id;
  std::filesystem::path folder;  ///< recordings are stored in its recordings/
  Duplex duplex = Duplex::automatic;
  /// Shell command that redials a lost call; empty: the run waits for the operators, up to link_patience_s.
  std::string redial;
  int most_redials = 5;   ///< in a row without a measurement between them
  double redial_s = 5;    ///< time for the call to return after the command ended; also the interval between attempts
  double guard_s = 0.05;  ///< silence between marks and speech, 0.05..1
  double within_s = 15;   ///< how long a receiver waits for a transmission's leading mark; above the line's delay
  std::string holder = "vqas";  ///< holder of the nodes, shown to other clients
  /// How long a node or the line may be out of reach before the run ends, in s. Nothing is lost meanwhile: the nodes
  /// keep their measurements. 0: the run ends immediately.
  double link_patience_s = 0;
  std::optional<RunContinuation> continues;  ///< continues this run, in its folder
  /// The claim on `folder`; without one the controller takes it and keeps it until it is destroyed. A caller that reads
  /// a run to continue from the folder must take the claim first.
  std::shared_ptr<RunLock> lock;
};

/// Copies the plan members that shape a run and are not in its results into the record, and back: a continued run must
/// keep them. Re-entrant.
void describe(const RunPlan& plan, SessionRecord& record);
void take_plan(const SessionRecord& record, RunPlan& plan);

/// The progress of a run.
struct RunProgress {
  std::size_t measured = 0;        ///< measurements made so far
  std::size_t expected_total = 0;  ///< as the samplers expect now
  double remaining_s = 0;          ///< wall-clock estimate, < 0 when unknown
};

}  // namespace vqas
