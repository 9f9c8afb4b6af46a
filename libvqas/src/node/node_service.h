#pragma once

#include <QObject>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "node/audio_loop.h"
#include "node/node_archive.h"
#include "node/node_session.h"
#include "node/rpc.h"
#include "node/wire_json.h"
#include "node/worker.h"
#include "vqas/corpus/corpus.h"
#include "vqas/node/node.h"
#include "vqas/score/score.h"

namespace vqas {

/// What a node does, without its socket: methods in, answers and notifications out (protocol.md). All in the thread
/// that made it, which has a Qt event loop; audio and scoring run on threads of their own.
class NodeService {
 public:
  /// Sends a notification to a connection.
  using Notify = std::function<void(int connection, const std::string& message)>;

  /// Reads the corpus, makes the data folder, opens the line.
  static Result<std::unique_ptr<NodeService>> create(const NodeOptions& options, Notify notify);
  ~NodeService();
  NodeService(const NodeService&) = delete;
  NodeService& operator=(const NodeService&) = delete;

  rpc::Answer call(int connection, const std::string& method, const Json& params);
  bool held_by(int connection) const { return session_ && session_->connection == connection; }
  /// Ends what this connection held.
  void disconnected(int connection);

 private:
  using Session = std::shared_ptr<const NodeSession>;
  NodeService(NodeOptions options, Corpus corpus, Notify notify);

  Status open_line_again();
  LoopEvents loop_events();

  rpc::Answer hello() const;
  rpc::Answer open_session(int connection, const Json& params);
  rpc::Answer run_round(const Json& params);
  rpc::Answer cancel_round();
  rpc::Answer tell_operator(const Json& params) const;
  rpc::Answer listen_until(const Json& params);
  rpc::Answer get_recording(const Json& params) const;
  rpc::Answer list_results(const Json& params) const;
  std::optional<std::string> unknown_stimulus(const RoundRequest& request) const;
  RoundJob make_job(const RoundRequest& request) const;
  MarkData mark_data(End sender, const std::string& stimulus, std::uint32_t sequence) const;
  void end_session();

  // In the scoring thread.
  void score(const Session& session, const Capture& capture, std::optional<std::int64_t> arrived_at_ns,
             const LineNotes& notes);
  void judge_line(const Capture& capture, const LineNotes& notes, ReceivedMeasurement& received);
  // To the service's own thread; dropped when the session is no longer the one held.
  void in_session(const Session& session, std::function<void()> task);
  void tell(const std::string& method, const Json& params) const;
  void fail_round(const Error& error);
  Session running() const;
  std::int64_t half_device_ns() const;

  QObject context_;  // outlives the threads that post to it
  const NodeOptions options_;
  const Corpus corpus_;
  const Notify notify_;
  std::map<std::string, Signal> references_;
  std::unique_ptr<NodeArchive> archive_;
  LineDescription line_;

  Session session_;
  std::map<std::uint32_t, Json> measured_, sent_;  // of the session, by sequence
  std::uint64_t last_round_ = 0;
  bool in_round_ = false;
  bool line_lost_ = false;

  mutable std::mutex running_mutex_;
  Session running_;  // whose round the audio thread plays

  Scorer scorer_;     // of the worker's thread
  UsualDrift drift_;  // likewise
  // In this order: audio ends first, then scoring.
  std::unique_ptr<Worker> worker_;
  std::unique_ptr<AudioLoop> loop_;
};

}  // namespace vqas
