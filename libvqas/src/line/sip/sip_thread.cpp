#include "line/sip/sip_thread.h"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <utility>

#include "line/sip/libre.h"

#define DEBUG_MODULE "vqas"
#define DEBUG_LEVEL 3
#include <re_dbg.h>

namespace vqas {

Result<std::unique_ptr<SipThread>> SipThread::start() {
  static std::once_flag quiet;
  std::call_once(quiet, [] { dbg_init(DBG_ERR, DBG_NONE); });
  auto wake_up = WakeUp::create();
  if (!wake_up) return wake_up.error();
  std::unique_ptr<SipThread> made(new SipThread(std::move(wake_up).value()));
  // Shared, because the thread may still be inside set_value() when this function returns.
  const auto begun = std::make_shared<std::promise<int>>();
  auto fault = begun->get_future();
  made->thread_ = std::thread([self = made.get(), begun] {
    int error = re_thread_init();
    if (error == 0) error = fd_listen(self->wake_up_.descriptor(), FD_READ, &SipThread::woken, self);
    begun->set_value(error);
    if (error == 0) self->run();
    re_thread_close();
  });
  if (const int error = fault.get(); error != 0) {
    made->thread_.join();
    return Error{ErrorCode::io, "cannot start the SIP library's loop: " + system_error_text(error)};
  }
  return made;
}

SipThread::~SipThread() {
  if (!thread_.joinable()) return;
  post([this] {
    stopping_ = true;
    re_cancel();
  });
  thread_.join();
}

void SipThread::run() {
  constexpr std::chrono::milliseconds kPause{10};
  while (!stopping_) {
    // A loop that fails ends too; tasks must run all the same, because other threads wait for them.
    if (re_main(nullptr) == 0) continue;
    std::this_thread::sleep_for(kPause);
    run_tasks();
  }
  fd_close(wake_up_.descriptor());
}

void SipThread::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_up_.wake();
}

void SipThread::woken(int, void* self) {
  static_cast<SipThread*>(self)->run_tasks();
}

void SipThread::run_tasks() {
  wake_up_.clear();
  std::vector<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task();
}

}  // namespace vqas
