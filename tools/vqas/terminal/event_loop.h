#pragma once

#include <QCoreApplication>
#include <QSocketNotifier>
#include <functional>
#include <memory>

namespace vqas::cli {

/// A Qt event loop for a command, with SIGINT, SIGTERM and SIGUSR1 as events. Make it before any thread: it blocks the
/// signals in all of them.
class EventLoop {
 public:
  EventLoop();
  ~EventLoop();
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
  int argument_count_ = 1;
  char name_[5] = "vqas";
  char* arguments_[2] = {name_, nullptr};
  QCoreApplication application_;
  int signals_ = -1;
  void take_signals();

  std::function<void()> interrupted_, released_;
  std::unique_ptr<QSocketNotifier> signal_notifier_, input_notifier_;
};

}  // namespace vqas::cli
