#pragma once

#include <termios.h>

#include <QSocketNotifier>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "vqas/relay/audio_relay.h"
#include "vqas/relay/relay_desk.h"

namespace vqas::cli {

/// Calls as lines of text, two for each, at most `most` calls.
std::string calls_table(const std::vector<RelayedCallState>& calls, std::size_t most);

/// The one direction between sound devices, as lines of text.
std::string audio_table(const AudioRelayCounters& counters);

/// The counters on a terminal, drawn over and over; nothing elsewhere.
class RelayScreen {
 public:
  explicit RelayScreen(bool on_terminal) : on_terminal_(on_terminal) {}
  /// `table` is whole lines.
  void draw(const std::string& table, const std::string& last_line);
  void clear();

 private:
  bool on_terminal_;
  std::size_t lines_ = 0;
};

/// The relay's keys (keys_help()), read from the terminal without waiting for ENTER; nothing where standard input is no
/// terminal. Puts the terminal back as it was when it goes.
class RelayKeys {
 public:
  /// `pressed` is called after each key but q, to show what it did.
  RelayKeys(LiveDesk& desk, std::function<void()> quit, std::function<void()> pressed);
  ~RelayKeys();
  RelayKeys(const RelayKeys&) = delete;
  RelayKeys& operator=(const RelayKeys&) = delete;

  /// What the last key did, for people.
  const std::string& said() const { return said_; }

 private:
  void press(char key);
  double ber() const;
  double loss() const;
  void set(const std::string& json, const std::string& said);

  LiveDesk& desk_;
  std::function<void()> quit_, pressed_;
  RelayTarget target_;
  std::string said_;
  termios before_{};
  std::unique_ptr<QSocketNotifier> notifier_;
};
std::string keys_help();

}  // namespace vqas::cli
