#pragma once

#include <CLI/App.hpp>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "vqas/line/line.h"
#include "vqas/line/open_line.h"
#include "vqas/sync/mark.h"

namespace vqas::cli {

/// open_line() after await_simulator(); tries for some seconds while an earlier run still occupies the end of a
/// simulated line.
Result<std::unique_ptr<Line>> open_line_soon(const std::string& name, End own);

/// Does `work` on a thread of its own and gives its exit code; an interrupt sets `cancelled` and calls `interrupted`.
int work_until_interrupted(const std::function<void()>& interrupted,
                           const std::function<int(const std::atomic<bool>& cancelled)>& work);
/// The same; an interrupt ends the work and the line early.
int work_on_line(Line& line, const std::function<int(const std::atomic<bool>& cancelled)>& work);

/// Takes what the line tells of its calls, as long as it lives: a thread of its own gives warnings to `noticed`, and
/// writes the signalling into files in `folder`; empty: into none. The thread of the line only hands it over. Begins
/// before the line is used, and ends before the line does.
class CallFollower {
 public:
  CallFollower(Line& line, End own, std::filesystem::path folder, std::function<void(const std::string&)> noticed);
  /// Writes what is left.
  ~CallFollower();
  CallFollower(const CallFollower&) = delete;
  CallFollower& operator=(const CallFollower&) = delete;

 private:
  void run();
  void write(const LineNews& news);

  Line& line_;
  const End own_;
  const std::filesystem::path folder_;
  const std::function<void(const std::string&)> noticed_;
  bool failed_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<LineNews> news_;  // guarded by mutex_, as is the next
  bool ends_ = false;
  std::thread thread_;
};

/// If the line's simulator does not answer yet: says so on standard error, and waits up to 10 s for it.
void await_simulator(const std::string& line, End end);

/// The options that must be the same at both ends of a line without a network: --guard-s and --corpus.
void add_shared_options(CLI::App& command, double& guard_s, std::string& corpus);

}  // namespace vqas::cli
