#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "relay/relay_options.h"
#include "relay/relay_screen.h"
#include "terminal/event_loop.h"
#include "terminal/live_output.h"

namespace vqas::cli {

/// The parts of a run that depend on the mode.
struct RelayView {
  std::function<std::string()> table;  ///< counters for the screen, whole lines
  std::function<void()> end_all;       ///< ends all calls and reports each by ended()
};

/// A relay from its first line of output to its last: control socket, keys, counters on the screen or as JSON lines.
class RelayRun {
 public:
  RelayRun(EventLoop& loop, LiveControl& live, RelayView view, const RelayRunOptions& options);

  /// Serves until stopped, then ends all calls. Prints `ready` as one line of JSON when it serves. Returns the exit
  /// code.
  int serve(nlohmann::ordered_json ready);
  /// Reports a call that ended, as one line of JSON or as lines of text; `failure` is the fault of its pattern's
  /// recording.
  void ended(const std::string& json, const std::string& text, const Status& failure = success());

 private:
  void tick();
  double seconds() const;

  EventLoop& loop_;
  LiveControl& live_;
  RelayView view_;
  RelayRunOptions options_;
  bool on_terminal_;
  LiveOutput output_;
  RelayScreen screen_;
  std::int64_t began_ns_;
  int exit_code_ = 0;
};

}  // namespace vqas::cli
