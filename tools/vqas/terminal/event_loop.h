#pragma once

#include <QCoreApplication>
#include <QSocketNotifier>
#include <functional>
#include <memory>

#include "terminal/interrupts.h"

namespace vqas::cli {

/// A Qt event loop for a command, with SIGINT, SIGTERM and SIGUSR1 as events. Make it before any thread,
/// as Interrupts.
class EventLoop {
 public:
  EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  void on_interrupt(std::function<void()> task);
  /// SIGUSR1, which "vqas node release" sends to a node.
  void on_release(std::function<void()> task);
  /// When standard input ends, as it does when the parent process that holds its other end exits.
  void on_input_end(std::function<void()> task);
  int run();
  static void end(int exit_code);

 private:
  Interrupts signals_{SIGUSR1};
  int argument_count_ = 1;
  char name_[5] = "vqas";
  char* arguments_[2] = {name_, nullptr};
  QCoreApplication application_;
  void take_signals();

  std::function<void()> interrupted_, released_;
  std::unique_ptr<QSocketNotifier> signal_notifier_, input_notifier_;
};

}  // namespace vqas::cli
