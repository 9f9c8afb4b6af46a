#pragma once

#include <termios.h>

#include <QSocketNotifier>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "terminal/live_output.h"
#include "vqas/relay/audio_relay.h"
#include "vqas/relay/call_control.h"
#include "vqas/relay/live_keys.h"

namespace vqas::cli {

/// Calls as text, two lines for each, at most `most` calls.
std::string calls_table(const std::vector<RelayedCallState>& calls, std::size_t most);

/// The counters of SIP as one line of text; counts of refused and dropped messages only if not zero.
std::string sip_line(const SipCounters& counters);

/// The direction between sound devices, as lines of text.
std::string audio_table(const AudioRelayCounters& counters);

/// The counters on a terminal, redrawn repeatedly; nothing on other outputs.
class RelayScreen {
 public:
  /// `output` outlives this.
  RelayScreen(bool on_terminal, LiveOutput& output) : on_terminal_(on_terminal), output_(output) {}
  /// `table` is whole lines. Returns false if it was skipped, because earlier output is still waiting.
  bool draw(const std::string& table, const std::string& last_line);
  void clear();

 private:
  std::string erasing() const;

  bool on_terminal_;
  LiveOutput& output_;
  std::size_t lines_ = 0;  // drawn and not erased
};

/// The relay's keys (keys_help()), read from the terminal without waiting for ENTER; nothing if standard input is not a
/// terminal. Restores the terminal when destroyed.
class RelayKeys {
 public:
  /// `pressed` is called after each key except q, to show its effect.
  RelayKeys(LiveControl& live, std::function<void()> quit, std::function<void()> pressed);
  ~RelayKeys();
  RelayKeys(const RelayKeys&) = delete;
  RelayKeys& operator=(const RelayKeys&) = delete;

  /// The effect of the last key, in words.
  const std::string& said() const { return said_; }

 private:
  void press(char key);

  LiveKeys keys_;
  std::function<void()> quit_, pressed_;
  std::string said_;
  termios before_{};
  std::unique_ptr<QSocketNotifier> notifier_;
};
std::string keys_help();

}  // namespace vqas::cli
