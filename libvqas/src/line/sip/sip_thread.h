#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "line/socket.h"
#include "vqas/line/address.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A thread with an event loop of libre of its own, in which all SIP objects of a line live and die.
///
/// What libre 1.1 demands, as its sources have it:
/// - the loop (timers, descriptors) belongs to the thread that called re_thread_init(); every other thread shares one
///   global loop. So no function of SIP, SDP or timers may be called outside this thread;
/// - reference counts are not atomic, so an object never leaves the thread;
/// - re_cancel() ends the loop of the calling thread only. Another thread wakes the loop by a descriptor;
/// - libre_init() is not called: random numbers and TLS come from OpenSSL, which initialises itself, and libre_init()
///   would replace the process's handler of SIGPIPE. libre's sockets send with MSG_NOSIGNAL;
/// - descriptors of 1024 and above are refused (EMFILE);
/// - its messages to the standard error are of the process: those below errors are switched off, because the line tells
///   in its own words what they mean. A malformed datagram is printed all the same.
class SipThread {
 public:
  /// Fails with io.
  static Result<std::unique_ptr<SipThread>> start();
  /// Ends the loop. All objects of libre must be released before, by a task.
  ~SipThread();
  SipThread(const SipThread&) = delete;
  SipThread& operator=(const SipThread&) = delete;

  /// Runs the task in the loop. Callable from any thread.
  void post(std::function<void()> task);
  /// Runs engine.begin(local) in the loop and waits for its result. Not for the loop's own thread.
  template <typename Engine>
  Status begin(Engine& engine, const SocketAddress& local) {
    const auto begun = std::make_shared<std::promise<Status>>();
    auto result = begun->get_future();
    post([begun, &engine, local] { begun->set_value(engine.begin(local)); });
    return result.get();
  }
  /// Runs engine->leave(done) in the loop, waits until `done` is called, for kFarewell at most, and destroys the engine
  /// there. Not for the loop's own thread.
  template <typename Engine>
  void leave(std::unique_ptr<Engine>& engine) {
    const auto left = std::make_shared<std::promise<void>>();
    auto farewell = left->get_future();
    post([&engine, left] { engine->leave([left] { left->set_value(); }); });
    (void)farewell.wait_for(kFarewell);
    post([&engine] { engine.reset(); });
  }

 private:
  // Long enough for a response and for one repetition over UDP (RFC 3261, 17.1: T1 is 0.5 s).
  static constexpr std::chrono::seconds kFarewell{1};

  explicit SipThread(WakeUp wake_up) : wake_up_(std::move(wake_up)) {}
  static void woken(int flags, void* self);
  void run();
  void run_tasks();

  const WakeUp wake_up_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::vector<std::function<void()>> tasks_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace vqas
