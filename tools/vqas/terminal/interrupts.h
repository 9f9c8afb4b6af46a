#pragma once

#include <signal.h>

#include <atomic>

namespace vqas::cli {

/// SIGINT, SIGTERM and perhaps one more signal, as events. Create it before any thread: it blocks them in all of them.
/// Those that were not taken are dropped with it, and later ones have their usual effect.
class Interrupts {
 public:
  explicit Interrupts(int one_more = SIGTERM);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// Readable while a signal waits.
  int descriptor() const { return descriptor_; }
  /// The next signal; 0 if none waits.
  int take() const;
  /// Waits until the descriptor `other` is ready for `events` of poll(), or without end for -1; false if a signal came
  /// instead, which still waits.
  bool wait(int other = -1, short events = 0) const;
  /// Whether a signal has come. After the first one, the next has its usual effect on the thread that asked: it ends
  /// the process without waiting for work in progress.
  bool arrived();

 private:
  int descriptor_;
  sigset_t before_{};
  std::atomic<bool> arrived_ = false;
};

}  // namespace vqas::cli
