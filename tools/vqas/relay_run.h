#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "event_loop.h"
#include "relay_options.h"
#include "relay_screen.h"

namespace vqas::cli {

/// A relay from its first line of output to its last: control socket, keys, counters on screen or as JSON lines.
class RelayRun {
 public:
  RelayRun(EventLoop& loop, RelayDesk& desk, const RelayRunOptions& options);

  /// Serves until somebody asks to stop, then ends all calls. `ready` is told to whoever waits for it, as one line of
  /// JSON. Gives the exit code.
  int serve(nlohmann::ordered_json ready);
  /// A call that ended is told; `failure` is what its pattern's recording met.
  void ended(const RelayedCallState& call, const Status& failure = success());

 private:
  void tick();
  void end_all();
  double seconds() const;

  EventLoop& loop_;
  RelayDesk& desk_;
  RelayRunOptions options_;
  bool on_terminal_;
  RelayScreen screen_;
  std::int64_t began_ns_;
  int exit_code_ = 0;
};

}  // namespace vqas::cli
