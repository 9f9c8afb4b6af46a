#include "calls/scoring/score_pool.h"

#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace vqas {
namespace {

constexpr int kLowestPriority = 19;

}  // namespace

ScorePool::ScorePool(const CallCorpus& corpus, std::size_t threads, std::function<void()> ready)
    : corpus_(corpus), ready_(std::move(ready)) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

ScorePool::~ScorePool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (std::thread& one : threads_) one.join();
}

void ScorePool::add(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    ++waiting_;
  }
  changed_.notify_one();
}

std::vector<ScorePool::Done> ScorePool::take() {
  const std::lock_guard lock(mutex_);
  waiting_ -= done_.size();
  return std::exchange(done_, {});
}

std::size_t ScorePool::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

void ScorePool::run() {
  // On Linux of this thread alone.
  (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kLowestPriority);
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (stopping_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    auto sentences = score_call(job.call, job.expected, corpus_);
    {
      const std::lock_guard lock(mutex_);
      done_.push_back({std::move(job), std::move(sentences)});
    }
    ready_();
  }
}

}  // namespace vqas
