#pragma once

#include <QTimer>
#include <cstdint>
#include <filesystem>

#include "model/run_session.h"
#include "model/worker_thread.h"

namespace vqas::app {

/// Follows a run that another program measures into `folder`, by its journal. Writes nothing but an operator's notes,
/// and with cancel() the request to stop. Pausing and trust belong to the program that measures. Lives in one thread
/// with an event loop; its functions may wait for the disk.
class RunFollower : public RunSession {
 public:
  /// Looks at the journal each `every_ms` milliseconds. A run that is asked to stop finishes the sentence under way;
  /// RunEngine gives it up to 15 s. After `stops_within_ms` it is taken for one that measures on.
  explicit RunFollower(std::filesystem::path folder, int every_ms = 500, int stops_within_ms = 25'000);

  void start() override;
  /// Asks the program that measures to stop the run; finished() follows when it has.
  void cancel() override;
  void hold(bool) override {}
  void note(const OperatorNote& note) override;
  void trust(bool) override {}

 private:
  void look();
  void end(const RunResults& results);

  const std::filesystem::path folder_;
  QTimer looking_, stopping_;
  std::uintmax_t read_bytes_ = 0;  // of the journal
  int unreadable_ = 0;             // looks since it could be read
  bool over_ = false;
};

/// A RunFollower on a thread of its own. No function blocks, but destroying it waits for the disk.
class FollowingSession : public RunSession {
 public:
  explicit FollowingSession(const std::filesystem::path& folder);

  void start() override { worker_.call(&RunFollower::start); }
  void cancel() override { worker_.call(&RunFollower::cancel); }
  void hold(bool) override {}
  void note(const OperatorNote& note) override { worker_.call(&RunFollower::note, note); }
  void trust(bool) override {}

 private:
  WorkerThread<RunFollower> worker_;
};

}  // namespace vqas::app
