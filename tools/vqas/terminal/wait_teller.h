#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "vqas/receive/idle_input.h"

namespace vqas::cli {

/// Tells on standard error which end hears nothing and what to look at, once for each direction, and counts down how
/// long its receiver still waits: each second on a terminal, else every five.
class WaitTeller {
 public:
  WaitTeller();
  void tell(const MarkWait& wait);
  /// Takes the countdown off a terminal, before anything else is told.
  void clear();

 private:
  const bool terminal_;
  bool shown_ = false;
  std::set<std::pair<std::string, std::string>> told_;  // what each direction was told, the kind of input included
  double told_left_s_ = 0;
};

}  // namespace vqas::cli
