#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "vqas/signal/end.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The signalling of the ends of a line: signalling-a.txt and signalling-b.txt in a folder. For one thread.
class SignallingFiles {
 public:
  explicit SignallingFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Appends whole lines. What exceeds 16 MB of an end is left out, and its file says so. Fails with io.
  Status add(End end, const std::string& lines);

 private:
  std::filesystem::path folder_;
};

}  // namespace vqas
