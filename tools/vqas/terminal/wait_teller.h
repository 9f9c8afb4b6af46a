#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "vqas/receive/idle_input.h"

namespace vqas::cli {

/// Reports on standard error which end hears nothing and what to check, once for each direction, and counts down the
/// time that its receiver still waits: each second on a terminal, else every five.
class WaitTeller {
 public:
  WaitTeller();
  void tell(const MarkWait& wait);
  /// Erases the countdown from a terminal, before any other output.
  void clear();

 private:
  const bool terminal_;
  bool shown_ = false;
  std::set<std::pair<End, std::string>> told_;  // direction and advice already printed
  double told_left_s_ = 0;
};

}  // namespace vqas::cli
