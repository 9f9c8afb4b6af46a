#pragma once

#include <QProcess>
#include <QTimer>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "vqas/campaign/hook_watch.h"

namespace vqas::campaign {

/// How a hook's program ended.
struct HookResult {
  bool delivered = false;   ///< it ended with code 0
  std::string why = {};     ///< it failed: in words, without a full stop
  std::string output = {};  ///< the first kShownOutput bytes of what it printed
  std::size_t printed = 0;
  bool left_others = false;  ///< processes that it left running were killed at the time limit
};

/// Of what a program prints, so much is kept; one that prints more than kMostOutput is ended, so that reading it does
/// not hold up the measuring.
inline constexpr std::size_t kShownOutput = 16U << 10U, kMostOutput = 1U << 20U;
/// From SIGTERM to SIGKILL, for the whole process group.
inline constexpr int kGraceMs = 2000;

/// One run of a hook's program, in a process group of its own, with a small environment and the document on standard
/// input. It is over when no process of its group is left: those that the program leaves running have what remains of
/// the time limit. Lives in one thread with a Qt event loop; it never waits. Destroying it kills the group.
class HookProgram {
 public:
  struct Options {
    std::vector<std::string> words;  ///< program and arguments
    std::filesystem::path folder;    ///< where it runs; empty: the current one
    double time_limit_s = 60;
    std::size_t attempt = 1;
  };
  /// `ended` is called once, from the event loop.
  HookProgram(Options options, const HookMessage& message, std::function<void(const HookResult&)> ended);
  ~HookProgram();
  HookProgram(const HookProgram&) = delete;
  HookProgram& operator=(const HookProgram&) = delete;
  /// Kills the group at once; `ended` tells of a failure with this reason.
  void stop(const std::string& why);

 private:
  void take_output();
  void give_up(const std::string& why, int grace_ms);
  void signal_group(int signal) const;
  /// Ends when nothing of the group is left.
  void await_group();
  void end(bool delivered, const std::string& why);

  const Options options_;
  const std::function<void(const HookResult&)> ended_;
  HookResult result_;
  std::string given_up_;  // why
  bool program_ended_ = false, over_ = false;
  qint64 group_ = 0;
  QProcess process_;
  QTimer limit_, grace_, look_;
};

}  // namespace vqas::campaign
