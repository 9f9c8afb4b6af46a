#pragma once

#include <CLI/App.hpp>
#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "vqas/line/line.h"
#include "vqas/line/open_line.h"
#include "vqas/sync/mark.h"

namespace vqas::cli {

/// open_line() behind await_simulator(); a simulated line whose end a run before has not left yet, is tried for some
/// seconds.
Result<std::unique_ptr<Line>> open_line_soon(const std::string& name, End own);

/// Does `work` on a thread of its own, ends it early when the user interrupts (the line too), and gives its exit code.
int work_on_line(Line& line, const std::function<int(const std::atomic<bool>& cancelled)>& work);

/// Where the line is a simulator's that is not there yet: says so on standard error, and gives it 10 s to come.
void await_simulator(const std::string& line, End end);

/// The options that both ends of a line without a network must be given alike: --guard-s and --corpus.
void add_shared_options(CLI::App& command, double& guard_s, std::string& corpus);

}  // namespace vqas::cli
