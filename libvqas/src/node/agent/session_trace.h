#pragma once

#include <string>
#include <vector>

#include "vqas/line/line.h"

namespace vqas {

/// What a node's sessions are told of the signalling of its line: everything from the session's begin on, and before it
/// the call that is up or being made, because a session measures calls that were made before it. Nothing else of the
/// time before. A value; for one thread.
class SessionTrace {
 public:
  /// Of each store, in octets. What comes later is left out, and a line says so.
  static constexpr std::size_t kMost = 256 * 1024;

  /// The line was opened (again): its calls are counted from 1.
  void open_line();
  void begin_session();
  void end_session();
  void add(const std::vector<LineTrace>& entries);
  /// What the session was not told yet; empty without one.
  std::string take();

 private:
  static void append(std::string& store, const std::string& text, const char* why);

  std::uint32_t call_ = 0;  // the latest one
  std::string of_call_, untold_;
  bool in_session_ = false;
};

}  // namespace vqas
