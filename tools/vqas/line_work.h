#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>
#include <string>

#include "vqas/line/line.h"

namespace vqas::cli {

/// Does `work` on a thread of its own, ends it early when the user interrupts (the line too), and gives its exit code.
int work_on_line(Line& line, const std::function<int(const std::atomic<bool>& cancelled)>& work);

/// The options that both ends of a line without a network must be given alike: --guard-s and --corpus.
void add_shared_options(CLI::App& command, double& guard_s, std::string& corpus);

}  // namespace vqas::cli
