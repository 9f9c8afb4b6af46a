#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "calls/media/media_call.h"

namespace vqas {

/// One thread that takes the turns of all calls by the machine's clock. It asks for the system's real-time priority;
/// where that is refused, other programs may make packets late, which each call counts. Its functions may be called
/// from any thread.
class MediaLoop {
 public:
  MediaLoop();
  ~MediaLoop();
  MediaLoop(const MediaLoop&) = delete;
  MediaLoop& operator=(const MediaLoop&) = delete;

  /// Takes turns for the call until it leaves.
  void add(std::shared_ptr<MediaCall> call);

 private:
  void run();

  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::vector<std::shared_ptr<MediaCall>> added_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace vqas
