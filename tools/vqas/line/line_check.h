#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "terminal/wait_teller.h"
#include "vqas/node/controller.h"
#include "vqas/receive/line_findings.h"

namespace vqas::cli {

/// What "vqas line check" does: a few transmissions with the shortest guard and a few with a long one, both ways, and
/// what they tell of the line. A direction of which nothing comes is told on standard error within seconds, and is not
/// tried again. Needs an event loop; ends it with the exit code: 0 when all passed, 4 when not.
class LineCheck {
 public:
  LineCheck(RunPlan plan, bool json);
  ~LineCheck();
  LineCheck(const LineCheck&) = delete;
  LineCheck& operator=(const LineCheck&) = delete;

  void start();
  void cancel();

 private:
  void run_next();
  void finished(const std::string& error, int code);
  void collect();
  void tell() const;
  bool passed() const;

  struct Direction {
    std::string from, to;
    std::vector<CheckedTransmission> checked;
    std::optional<IdleInput> instead = {};  // what its receiver heard while it waited
    bool dead = false;                      // nothing comes this way
    std::string name() const { return from + " to " + to; }
  };
  Direction& place_of(const std::string& from, const std::string& to);
  void watch(const DirectionRun& run);
  std::vector<LineFinding> findings_of(const Direction& direction) const;
  RunPlan plan_;
  const bool json_;
  std::size_t runs_ = 0;
  std::vector<Direction> directions_;
  std::unique_ptr<Controller> controller_;
  WaitTeller waits_;
  bool breaking_off_ = false;  // because a direction turned out to be dead
};

}  // namespace vqas::cli
