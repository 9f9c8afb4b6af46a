#pragma once

#include <filesystem>
#include <memory>

#include "vqas/signal/result.h"

namespace vqas {

/// A node's claim on its data folder, node.lock: two nodes must not write one journal. The system releases it when the
/// process ends for any reason. The file holds the process number and the machine, for release_node().
class NodeLock {
 public:
  /// Waits up to `patience_s` for another node that has the folder. Fails with bad_input when it still has it then, and
  /// with io.
  static Result<std::unique_ptr<NodeLock>> take(const std::filesystem::path& folder, double patience_s = 0);
  ~NodeLock();
  NodeLock(const NodeLock&) = delete;
  NodeLock& operator=(const NodeLock&) = delete;

 private:
  explicit NodeLock(int file) : file_(file) {}
  const int file_;
};

}  // namespace vqas
