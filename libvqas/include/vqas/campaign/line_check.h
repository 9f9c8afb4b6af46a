#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/node/run_plan.h"
#include "vqas/receive/check_findings.h"
#include "vqas/receive/idle_input.h"

namespace vqas {

class Controller;

/// Stimuli of the project's corpus that are enough for a check, one of each talker.
inline constexpr std::array kUsualCheckStimuli{"M4", "F4"};

/// What a line check found of one direction.
struct CheckedDirection {
  End from = End::a;
  std::size_t transmissions = 0;  ///< on which the findings are based
  std::vector<CheckFinding> findings;
};

struct LineCheckResult {
  std::vector<CheckedDirection> directions;
  /// Why it ended early; findings made before are kept.
  std::optional<Error> error;
  bool passed = false;  ///< every finding passed; meaningless when the check ended early
};

/// The events of a line check; each may be empty. None of them may destroy the check.
struct LineCheckEvents {
  /// Part `part` of `parts`, counted from 1, begins; it may begin again when a direction turns out to be dead.
  std::function<void(std::size_t part, std::size_t parts, double guard_s)> on_part;
  std::function<void(const MarkWait& wait)> on_waiting;            ///< as Controller::waiting()
  std::function<void(const std::string& what)> on_noticed;         ///< as Controller::noticed()
  std::function<void()> on_part_ended;                             ///< before its recordings are read
  std::function<void(const LineCheckResult& result)> on_found;     ///< findings so far, after a part but the last
  std::function<void(const LineCheckResult& result)> on_finished;  ///< once
};

/// Checks whether a line is ready: a few transmissions with the shortest guard interval and a few with a long one, both
/// ways. A direction from which nothing arrives is found within seconds, and is not tried again. Lives in one thread
/// with a Qt event loop, in which all events are called.
class LineCheck {
 public:
  /// Uses of `plan`: nodes, corpus, stimuli, directions, folder and holder.
  LineCheck(RunPlan plan, LineCheckEvents events);
  ~LineCheck();
  LineCheck(const LineCheck&) = delete;
  LineCheck& operator=(const LineCheck&) = delete;

  void start();  ///< once; on_finished() follows in any case
  /// Stops after what is in flight; on_finished() follows. A second call does not wait.
  void cancel();

 private:
  struct Direction {
    End from = End::a;
    std::vector<CheckedTransmission> checked;
    std::optional<IdleInput> instead = {};  // what its receiver heard while it waited
    bool dead = false;                      // nothing comes this way
  };
  void run_next();
  void watch(const DirectionRun& run);
  void collect();
  void finished(const std::string& error, ErrorCode code);
  Direction& place_of(End from);
  std::vector<CheckFinding> findings_of(const Direction& direction) const;
  LineCheckResult result() const;

  RunPlan plan_;
  const LineCheckEvents events_;
  std::size_t runs_ = 0;
  std::vector<Direction> directions_;
  std::unique_ptr<Controller> controller_;
  bool breaking_off_ = false;  // because a direction turned out to be dead
};

}  // namespace vqas
