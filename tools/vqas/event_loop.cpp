#include "event_loop.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace vqas::cli {

EventLoop::EventLoop() : application_(argument_count_, arguments_) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

EventLoop::~EventLoop() {
  signal_notifier_.reset();
  if (signals_ >= 0) ::close(signals_);
}

void EventLoop::on_interrupt(std::function<void()> task) {
  signal_notifier_ = std::make_unique<QSocketNotifier>(signals_, QSocketNotifier::Read);
  QObject::connect(signal_notifier_.get(), &QSocketNotifier::activated, &application_, [this, task = std::move(task)] {
    signalfd_siginfo info;
    while (::read(signals_, &info, sizeof info) > 0) continue;
    task();
  });
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
