#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "node/wire/wire_json.h"
#include "vqas/run/recording_name.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// A node's journal entries for one session.
struct SessionHistory {
  std::string key_digest;                        ///< empty: the session cannot be resumed
  std::map<std::uint32_t, Json> measured, sent;  ///< by sequence, as sent
  bool known() const { return !key_digest.empty(); }
};
/// Reads a journal. Skips damaged lines, lines torn by a kill and lines of other sessions. Of several lines with one
/// sequence the first counts. Re-entrant.
SessionHistory read_session_history(std::istream& journal, const std::string& session);

/// What a node received, written to disk before it is reported: recordings/*.flac, then a line of node-journal.jsonl.
/// append(), load() and history() are for any thread, keep() is for one at a time.
class NodeArchive {
 public:
  /// Creates the folder. Fails with io if it is not writable.
  static Result<std::unique_ptr<NodeArchive>> open(const std::filesystem::path& folder);
  ~NodeArchive();
  NodeArchive(const NodeArchive&) = delete;
  NodeArchive& operator=(const NodeArchive&) = delete;

  /// Stores a recording as FLAC; on disk on return. Fails with io.
  Status keep(const std::string& name, const Signal& signal);
  /// Appends a line. `sync`: on disk on return, else at least safe if the process is killed. Fails with io.
  Status append(const std::string& line, bool sync = true);
  /// The journal entries of a session.
  SessionHistory history(const std::string& session) const;
  /// The bytes of a recording. Fails with bad_input for a name that was never stored here, with io if the system cannot
  /// read it now. Re-entrant.
  Result<std::string> load(const std::string& name) const;

 private:
  NodeArchive(std::filesystem::path folder, int journal) : folder_(std::move(folder)), journal_(journal) {}
  std::filesystem::path folder_;
  int journal_;
  std::mutex mutex_;  // of the journal
};

}  // namespace vqas
