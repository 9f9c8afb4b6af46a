#pragma once

#include <CLI/App.hpp>
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

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

/// What the line tells of its calls: warnings go to standard error, and the signalling into files in `folder`; empty:
/// into none. Before the line is used.
void follow_calls(Line& line, End own, const std::filesystem::path& folder);

/// If the line's simulator does not answer yet: says so on standard error, and waits up to 10 s for it.
void await_simulator(const std::string& line, End end);

/// The options that must be the same at both ends of a line without a network: --guard-s and --corpus.
void add_shared_options(CLI::App& command, double& guard_s, std::string& corpus);

}  // namespace vqas::cli
