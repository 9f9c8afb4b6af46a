#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "vqas/node/controller.h"

namespace vqas::cli {

/// The state of a run as lines of text: for each stimulus and direction the mean, its half-width and the count.
std::string results_table(const RunResults& results);
/// "34 of about 240 measurements, 1 min 20 s left"
std::string progress_line(const RunProgress& progress);

/// Redraws table and progress on a terminal; does nothing elsewhere.
class LiveTable {
 public:
  explicit LiveTable(bool on_terminal) : on_terminal_(on_terminal) {}
  void update(const RunResults& results, const RunProgress& progress);
  /// Erases the table; the next output takes its place.
  void clear();

 private:
  bool on_terminal_;
  std::size_t lines_ = 0;
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace vqas::cli
