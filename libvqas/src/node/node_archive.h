#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// What a node received, on its disk before anybody is told of it: recordings/*.flac, then a line of
/// node-journal.jsonl. For one thread at a time, except load().
class NodeArchive {
 public:
  /// Makes the folder. Fails with io when it cannot be written.
  static Result<std::unique_ptr<NodeArchive>> open(const std::filesystem::path& folder);
  ~NodeArchive();
  NodeArchive(const NodeArchive&) = delete;
  NodeArchive& operator=(const NodeArchive&) = delete;

  /// Keeps a recording as FLAC; on disk when it returns. Fails with io.
  Status keep(const std::string& name, const Signal& signal);
  /// Appends a line; on disk when it returns. Fails with io.
  Status append(const std::string& line);
  /// The bytes of a recording. Fails with bad_input for a name that was never kept here. Re-entrant.
  Result<std::string> load(const std::string& name) const;

 private:
  NodeArchive(std::filesystem::path folder, int journal) : folder_(std::move(folder)), journal_(journal) {}
  std::filesystem::path folder_;
  int journal_;
};

/// Letters, digits, '-' and '_'; everything else becomes '_'.
std::string as_file_name(const std::string& text);

}  // namespace vqas
