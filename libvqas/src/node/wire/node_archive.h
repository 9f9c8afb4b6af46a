#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "node/wire/wire_json.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// What a node's journal says of one session.
struct SessionHistory {
  std::string key_digest;                        ///< empty: nobody can take it up again
  std::map<std::uint32_t, Json> measured, sent;  ///< by sequence, as they were told
  bool known() const { return !key_digest.empty(); }
};
/// Reads a journal; lines that are damaged, torn by a kill or of other sessions are left out. Of several lines of one
/// sequence the first stands. Re-entrant.
SessionHistory read_session_history(std::istream& journal, const std::string& session);

/// What a node received, on its disk before anybody is told of it: recordings/*.flac, then a line of
/// node-journal.jsonl. append(), load() and history() are for any thread, keep() is for one at a time.
class NodeArchive {
 public:
  /// Makes the folder. Fails with io when it cannot be written.
  static Result<std::unique_ptr<NodeArchive>> open(const std::filesystem::path& folder);
  ~NodeArchive();
  NodeArchive(const NodeArchive&) = delete;
  NodeArchive& operator=(const NodeArchive&) = delete;

  /// Keeps a recording as FLAC; on disk when it returns. Fails with io.
  Status keep(const std::string& name, const Signal& signal);
  /// Appends a line. `sync`: on the disk when it returns, else at least beyond the reach of a killed process. Fails
  /// with io.
  Status append(const std::string& line, bool sync = true);
  /// What is known of a session.
  SessionHistory history(const std::string& session) const;
  /// The bytes of a recording. Fails with bad_input for a name that was never kept here, with io when the system
  /// does not let it be read now. Re-entrant.
  Result<std::string> load(const std::string& name) const;

 private:
  NodeArchive(std::filesystem::path folder, int journal) : folder_(std::move(folder)), journal_(journal) {}
  std::filesystem::path folder_;
  int journal_;
  std::mutex mutex_;  // of the journal
};

/// Letters, digits, '-' and '_'; everything else becomes '_'.
std::string as_file_name(const std::string& text);

}  // namespace vqas
