#include "calls/media/media_loop.h"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

#include <cerrno>
#include <ctime>
#include <utility>

#include "calls/media/media_wheel.h"
#include "line/machine_clock.h"

namespace vqas {
namespace {

// As the node's audio thread (libvqas/doc/sound-devices.md).
void ask_for_priority() {
  sched_param parameters{};
  parameters.sched_priority = 5;
  (void)::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &parameters);
}

void sleep_until(std::int64_t due_ns) {
  const timespec due{due_ns / 1'000'000'000, due_ns % 1'000'000'000};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr) == EINTR) {
  }
}

}  // namespace

MediaLoop::MediaLoop() : thread_([this] { run(); }) {}

MediaLoop::~MediaLoop() {
  stopping_ = true;
  thread_.join();
}

void MediaLoop::add(std::shared_ptr<MediaCall> call) {
  const std::lock_guard lock(mutex_);
  added_.push_back(std::move(call));
}

void MediaLoop::run() {
  (void)::prctl(PR_SET_NAME, "vqas-media");  // by which tools/bench/many_calls.py finds it
  ask_for_priority();
  // Without the priority the system may put a sleep's end off by 50 us.
  (void)::prctl(PR_SET_TIMERSLACK, 1000UL, 0UL, 0UL, 0UL);
  MediaWheel wheel(monotonic_ns() + MediaWheel::kSlot_ns);
  while (!stopping_) {
    sleep_until(wheel.due_ns());
    // A thread that holds the lock may have been put off; the packets that are due do not wait for it.
    if (std::unique_lock lock(mutex_, std::try_to_lock); lock) {
      for (auto& call : added_) wheel.add(std::move(call));
      added_.clear();
    }
    wheel.catch_up(monotonic_ns());
    wheel.turn();
    if (wheel.is_empty()) wheel.pass(MediaWheel::kSlots - 1);
  }
}

}  // namespace vqas
