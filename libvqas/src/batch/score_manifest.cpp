#include "vqas/batch/score_manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "batch/manifest_reader.h"
#include "batch/score_columns.h"
#include "batch/score_files.h"
#include "batch/score_table.h"
#include "vqas/score/score.h"

namespace vqas {
namespace {

using namespace batch;

constexpr std::chrono::milliseconds kReport{100};
// Finished rows per thread that may wait for a slower one before them: limits memory and the loss by a kill.
constexpr std::size_t kWaitingPerJob = 8;

/// The scorers of one thread: that of a model is made when a pair needs it first.
class Scorers {
 public:
  Scorer& of(ScoreMode mode) {
    auto& scorer = scorers_[static_cast<std::size_t>(mode)];
    if (!scorer) scorer.emplace(mode);
    return *scorer;
  }

 private:
  std::array<std::optional<Scorer>, 2> scorers_;
};

Score score_pair(Scorers& scorers, const ManifestPair& pair, const BatchOptions& options, ReadSpace& space) {
  const ScoreMode mode = mode_for(pair.files, options.mode);
  Score found =
      pair.fault.empty() ? score_files(scorers.of(mode), pair.files, options.columns, space) : unusable(pair.fault);
  found.mode = mode;
  return found;
}

/// The pairs go out to threads in their order and come back in any; rows are written in their order.
class Batch {
 public:
  Batch(const BatchOptions& options, ManifestReader manifest, ScoreTable table, std::size_t pairs)
      : options_(options), manifest_(std::move(manifest)), table_(std::move(table)) {
    summary_.progress.pairs = pairs;
    summary_.progress.found = table_.found();
    summary_.progress.written = table_.found();
    summary_.outcomes = table_.found_outcomes();
    summary_.scored_by_mode = table_.found_scored();
    summary_.scored = summary_.scored_by_mode[0] + summary_.scored_by_mode[1];
    next_ = table_.found();
  }

  Result<BatchSummary> run(const std::function<bool(const BatchProgress&)>& on_progress) {
    for (std::size_t n = 0; n < table_.found(); ++n) {
      if (auto skipped = manifest_.next(); !skipped) return skipped.error();
    }
    const auto begin = std::chrono::steady_clock::now();
    std::vector<std::thread> threads;
    const auto left = std::max<std::size_t>(1, summary_.progress.pairs - table_.found());
    const auto jobs = std::min(static_cast<std::size_t>(options_.jobs), left);
    start(threads, jobs);
    {
      std::unique_lock lock(mutex_);
      while (!ended_.wait_for(lock, kReport, [this] { return running_ == 0; })) {
        BatchProgress now = summary_.progress;
        now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        lock.unlock();
        const bool stopped = on_progress && !on_progress(now);
        lock.lock();
        if (stopped) {
          summary_.cancelled = true;
          changed_.notify_all();
        }
      }
    }
    for (std::thread& thread : threads) thread.join();
    if (fault_) return *fault_;
    if (auto synced = table_.sync(); !synced) return synced.error();
    summary_.progress.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    summary_.cancelled = summary_.progress.written < summary_.progress.pairs;
    return summary_;
  }

 private:
  /// Starts as many threads as the machine allows: one is enough.
  void start(std::vector<std::thread>& threads, std::size_t jobs) {
    threads.reserve(jobs);
    const std::lock_guard lock(mutex_);
    try {
      for (; running_ < jobs; ++running_) threads.emplace_back([this] { work(); });
    } catch (const std::system_error& fault) {
      if (threads.empty()) fault_ = broken_off(fault);
    }
  }

  void work() {
    std::optional<Error> broken;
    try {
      score_pairs();
    } catch (const std::exception& fault) {
      broken = broken_off(fault);
    }
    const std::lock_guard lock(mutex_);
    if (broken && !fault_) fault_ = std::move(broken);
    if (--running_ == 0) ended_.notify_all();
    changed_.notify_all();
  }

  static Error broken_off(const std::exception& fault) {
    return {ErrorCode::io, fmt::format("the batch could not continue ({}); the rows so far are kept: free memory, then "
                                       "give the same command again",
                                       fault.what())};
  }

  void score_pairs() {
    Scorers scorers;
    ReadSpace space;
    std::unique_lock lock(mutex_);
    while (auto taken = take(lock)) {
      lock.unlock();
      // Before they are read: the next batch detects a file that changes meanwhile.
      std::string from = made_from(taken->second.files);
      const Score score = score_pair(scorers, taken->second, options_, space);
      CsvRow row = std::move(taken->second.fields);
      for (std::string& field : score_fields(score, options_.columns)) row.push_back(std::move(field));
      row.push_back(std::move(from));
      lock.lock();
      waiting_.emplace(taken->first, Finished{std::move(row), score.outcome, score.mode});
      write_finished();
    }
  }

  /// The next pair, or nothing when there is none or the batch has to end. With the lock held.
  std::optional<std::pair<std::size_t, ManifestPair>> take(std::unique_lock<std::mutex>& lock) {
    const std::size_t ahead = kWaitingPerJob * static_cast<std::size_t>(options_.jobs);
    changed_.wait(lock, [&] { return summary_.cancelled || fault_ || next_ < summary_.progress.written + ahead; });
    if (summary_.cancelled || fault_) return std::nullopt;
    auto pair = manifest_.next();
    if (!pair) {
      fault_ = pair.error();
      changed_.notify_all();
      return std::nullopt;
    }
    if (!*pair) return std::nullopt;
    return std::pair{next_++, *std::move(*pair)};
  }

  void write_finished() {
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == summary_.progress.written && !fault_;
         first = waiting_.begin()) {
      if (auto appended = table_.append(first->second.row); !appended) {
        fault_ = appended.error();
      } else {
        ++summary_.progress.written;
        ++summary_.outcomes[static_cast<std::size_t>(first->second.outcome)];
        if (first->second.outcome == Outcome::scored) {
          ++summary_.scored;
          ++summary_.scored_by_mode[static_cast<std::size_t>(first->second.mode)];
        }
      }
      waiting_.erase(first);
    }
    changed_.notify_all();
  }

  struct Finished {
    CsvRow row;
    Outcome outcome = Outcome::bad_input;
    ScoreMode mode = ScoreMode::narrowband;
  };

  const BatchOptions& options_;
  std::mutex mutex_;
  std::condition_variable changed_;  // for the threads that score,
  std::condition_variable ended_;    // and for the one that waits for them: woken once, not with every pair
  ManifestReader manifest_;
  ScoreTable table_;
  std::map<std::size_t, Finished> waiting_;
  std::size_t next_ = 0;
  std::size_t running_ = 0;
  BatchSummary summary_;
  std::optional<Error> fault_;
};

}  // namespace

Result<BatchSummary> score_manifest(const BatchOptions& options,
                                    const std::function<bool(const BatchProgress&)>& on_progress) {
  const auto pairs = count_pairs(options);
  if (!pairs) return pairs.error();
  auto table = ScoreTable::open(options);
  if (!table) return table.error();
  auto manifest = ManifestReader::open(options);
  if (!manifest) return manifest.error();
  return Batch(options, *std::move(manifest), *std::move(table), *pairs).run(on_progress);
}

}  // namespace vqas
