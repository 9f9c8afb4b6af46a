#include "terminal/event_loop.h"

#include <unistd.h>

#include <utility>

namespace vqas::cli {

EventLoop::EventLoop() : application_(argument_count_, arguments_) {
  signal_notifier_ = std::make_unique<QSocketNotifier>(signals_.descriptor(), QSocketNotifier::Read);
  QObject::connect(signal_notifier_.get(), &QSocketNotifier::activated, &application_, [this] { take_signals(); });
}

void EventLoop::on_interrupt(std::function<void()> task) {
  interrupted_ = std::move(task);
}

void EventLoop::on_release(std::function<void()> task) {
  released_ = std::move(task);
}

void EventLoop::take_signals() {
  bool interrupted = false, released = false;
  while (const int signal = signals_.take()) (signal == SIGUSR1 ? released : interrupted) = true;
  if (interrupted && interrupted_) interrupted_();
  if (released && released_) released_();
}

void EventLoop::on_input_end(std::function<void()> task) {
  input_notifier_ = std::make_unique<QSocketNotifier>(STDIN_FILENO, QSocketNotifier::Read);
  QObject::connect(input_notifier_.get(), &QSocketNotifier::activated, &application_, [this, task = std::move(task)] {
    char ignored[64];
    if (::read(STDIN_FILENO, ignored, sizeof ignored) > 0) return;
    input_notifier_->setEnabled(false);
    task();
  });
}

int EventLoop::run() {
  return QCoreApplication::exec();
}

void EventLoop::end(int exit_code) {
  QCoreApplication::exit(exit_code);
}

}  // namespace vqas::cli
