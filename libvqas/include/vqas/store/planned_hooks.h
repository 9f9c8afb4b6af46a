#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace vqas {

/// The programs that a campaign runs when something happens, each with its arguments and without a shell. Empty: none.
struct PlannedHooks {
  std::vector<std::string> run_ended;        ///< a run ended
  std::vector<std::string> verdict_changed;  ///< pass, fail, undecided or recovered
  std::vector<std::string> line_changed;     ///< the line or a node is dead, or back
  std::vector<std::string> disk_full;        ///< the disk will be full within a day
  std::filesystem::path folder;              ///< of the plan, where the programs run; empty: the current one
  double time_limit_s = 60;                  ///< of one program, 1 to 600
  std::size_t attempts = 10;                 ///< for one document, 1 to 100
  double dead_after_s = 60;                  ///< away for so long is dead, 0 to 86000

  bool any() const {
    return !run_ended.empty() || !verdict_changed.empty() || !line_changed.empty() || !disk_full.empty();
  }
  bool operator==(const PlannedHooks&) const = default;
};

}  // namespace vqas
