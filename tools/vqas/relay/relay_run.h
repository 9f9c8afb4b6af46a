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

/// What a run shows and ends, which depends on the mode.
struct RelayView {
  std::function<std::string()> table;                                ///< counters for the screen, whole lines
  std::function<std::vector<std::string>(const Profile&)> left_out;  ///< of a profile, in this mode
  std::function<void()> end_all;                                     ///< tells each call's end by ended()
};

/// A relay from its first line of output to its last: control socket, keys, counters on screen or as JSON lines.
class RelayRun {
 public:
  RelayRun(EventLoop& loop, LiveControl& live, RelayView view, const RelayRunOptions& options);

  /// Serves until somebody asks to stop, then ends all calls. `ready` is told to whoever waits for it, as one line of
  /// JSON. Gives the exit code.
  int serve(nlohmann::ordered_json ready);
  /// A call that ended is told, as one line of JSON or as lines of text; `failure` is what its pattern's recording met.
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
