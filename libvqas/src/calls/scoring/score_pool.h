#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "calls/scoring/call_scorer.h"

namespace vqas {

/// Threads that score the recordings of calls that are over, at the lowest priority, so that no packet waits for a
/// score. Its functions may be called from any thread.
class ScorePool {
 public:
  struct Job {
    std::uint32_t number = 0;  ///< of the call
    RecordedCall call;
    CallExpectation expected;
  };
  struct Done {
    Job job;
    std::vector<CallSentence> sentences;
  };
  /// `corpus` outlives the pool. `ready` is called by its threads after each score.
  ScorePool(const CallCorpus& corpus, std::size_t threads, std::function<void()> ready);
  /// What waits is dropped.
  ~ScorePool();
  ScorePool(const ScorePool&) = delete;
  ScorePool& operator=(const ScorePool&) = delete;

  void add(Job job);
  std::vector<Done> take();
  /// Calls that were added and not taken.
  std::size_t waiting() const;

 private:
  void run();

  const CallCorpus& corpus_;
  const std::function<void()> ready_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  std::deque<Job> jobs_;
  std::vector<Done> done_;
  std::size_t waiting_ = 0;
  bool stopping_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace vqas
