#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// The signalling of both ends of a run, as their nodes tell it: signalling-a.txt and signalling-b.txt in the run's
/// folder. For one thread.
class SignallingFiles {
 public:
  explicit SignallingFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Appends whole lines. What exceeds 16 MB of an end is left out. Fails with io.
  Status add(std::size_t node, const std::string& lines);

 private:
  std::filesystem::path folder_;
};

}  // namespace vqas
