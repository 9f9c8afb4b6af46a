#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "node/agent/audio_loop.h"
#include "node/agent/session_trace.h"
#include "node/play/worker.h"
#include "node/wire/node_archive.h"
#include "node/wire/node_session.h"
#include "node/wire/rpc.h"
#include "node/wire/wire_json.h"
#include "receive/capture_judge.h"
#include "vqas/corpus/corpus.h"
#include "vqas/node/node.h"

namespace vqas {

/// The functions of a node without its socket: methods in, answers and notifications out (protocol.md). Runs in the
/// thread that created it, which has a Qt event loop; audio and scoring have their own threads.
class NodeService {
 public:
  /// Sends a notification to a connection.
  using Notify = std::function<void(int connection, const std::string& message)>;

  /// Reads the corpus, creates the data folder, opens the line.
  static Result<std::unique_ptr<NodeService>> create(const NodeOptions& options, Notify notify);
  ~NodeService();
  NodeService(const NodeService&) = delete;
  NodeService& operator=(const NodeService&) = delete;

  rpc::Answer call(int connection, const std::string& method, const Json& params);
  bool held_by(int connection) const { return session_ && connection_ == connection; }
  /// This connection gave a sign of life, which renews its lease.
  void heard(int connection);
  /// Ends the session of this connection, unless it can be resumed within its lease.
  void disconnected(int connection);
  /// Its metrics in Prometheus' text format, with those of its socket.
  std::string metrics(const std::map<std::string, std::uint64_t>& refused, std::size_t connections) const;
  /// Ends the holder's session, for an operator at the node; false if there is none.
  bool release();

 private:
  using Session = std::shared_ptr<const NodeSession>;
  using Clock = std::chrono::steady_clock;
  /// The last requested round.
  struct RoundState {
    const char* state = "none";  ///< "running", "done", "failed", "abandoned"
    std::uint64_t number = 0;    ///< never falls while the node runs
    std::string request;         ///< as text (destroying Json may throw); empty: none
    std::string code, message;   ///< of one that failed
    bool running() const { return std::string_view(state) == "running"; }
  };
  NodeService(NodeOptions options, Corpus corpus, Notify notify);

  Status open_line_again();
  Status read_wide_references();
  const ReferenceSpeech& reference(const std::string& stimulus, int rate_hz) const;
  std::optional<std::string> too_narrow(ScoreMode mode) const;
  LoopEvents loop_events(bool packets);

  rpc::Answer hello() const;
  rpc::Answer status() const;
  rpc::Answer open_session(int connection, const Json& params);
  std::optional<rpc::Answer> refuse_session(const NodeSession& asked, int connection, bool reconnects) const;
  rpc::Answer run_round(const Json& params);
  rpc::Answer abandon_round(const Json& params);
  rpc::Answer cancel_round(const Json& params);
  rpc::Answer tell_operator(const Json& params);
  rpc::Answer listen_until(const Json& params);
  rpc::Answer get_recording(const Json& params);
  rpc::Answer list_results(const Json& params);
  rpc::Answer close_session(const Json& params);
  std::optional<std::string> unknown_stimulus(const RoundRequest& request) const;
  RoundJob make_job(const RoundRequest& request) const;
  MarkData mark_data(End sender, const std::string& stimulus, std::uint32_t sequence) const;
  void take_up(const NodeSession& session, bool look_at_disk);
  void end_session();
  void expire();
  void log(const std::string& line) const;
  void tell_trace();

  // Runs in the scoring thread.
  void score(const Session& session, const Capture& capture, std::optional<std::int64_t> arrived_at_ns,
             const DeviceNotes& notes, bool no_packets);
  // Posts to the service's own thread; dropped when the session is no longer current.
  void in_session(const Session& session, std::function<void()> task);
  void tell(const std::string& method, const Json& params) const;
  void fail_round(const Error& error);
  void keep_departure(std::uint32_t sequence, std::int64_t left_at_ns, std::optional<std::int64_t> clock_offset_ns);
  void keep_played(const PlayedNotice& notice);
  /// Writes to disk, for a client that resumes the session; false if that failed the round.
  bool keep_sent(std::uint32_t sequence, const Json& sent);
  std::int64_t line_time_ns() const;
  Session running() const;
  std::int64_t half_device_ns() const;
  std::string equipment() const;

  QObject context_;  // outlives the threads that post to it
  const NodeOptions options_;
  const Corpus corpus_;
  const Notify notify_;
  // At 8 kHz; and at 16 kHz, filled before the first line of that rate is opened.
  std::map<std::string, ReferenceSpeech> references_, wide_references_;
  std::unique_ptr<NodeArchive> archive_;
  LineDescription line_;  // of the line that is open; of the service's own thread

  Session session_;
  int connection_ = 0;  // of the holder; 0: it may resume
  std::chrono::system_clock::time_point since_;
  Clock::time_point heard_;
  std::set<std::string> taken_back_;
  std::map<std::uint32_t, Json> measured_, sent_;  // of the session, by sequence
  std::uint32_t last_expected_ = 0;                // of the session's rounds, sequence number
  std::size_t scoring_ = 0;                        // captures not yet measured
  std::int64_t line_time_ns_ = 0;                  // of the session's completed rounds
  RoundState round_;
  bool line_lost_ = false;
  SessionTrace trace_;  // of the signalling
  QTimer lease_looks_;
  // Since the node was started, for metrics().
  std::map<std::string, std::uint64_t> outcomes_;
  std::uint64_t transmissions_ = 0, rounds_failed_ = 0, sessions_ = 0;
  std::int64_t earlier_line_time_ns_ = 0;  // of completed sessions

  mutable std::mutex running_mutex_;
  Session running_;  // whose round the audio thread plays

  CaptureJudge judge_{SenderNotes::told};  // of the worker's thread
  // Destroyed in reverse order: audio ends first, then scoring.
  std::unique_ptr<Worker> worker_;
  std::unique_ptr<AudioLoop> loop_;
};

}  // namespace vqas
