#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vqas/node/controller.h"
#include "vqas/node/line_findings.h"

namespace vqas::cli {

/// What "vqas line check" does: a few transmissions with the shortest guard and a few with a long one, both ways, and
/// what they tell of the line. Needs an event loop; ends it with the exit code: 0 when all passed, 4 when not.
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
    std::string name;
    std::vector<CheckedTransmission> checked;
  };
  RunPlan plan_;
  const bool json_;
  std::size_t runs_ = 0;
  std::vector<Direction> directions_;
  std::unique_ptr<Controller> controller_;
};

}  // namespace vqas::cli
