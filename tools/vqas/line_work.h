#pragma once

#include <atomic>
#include <functional>

#include "vqas/line/line.h"

namespace vqas::cli {

/// Does `work` on a thread of its own, ends it early when the user interrupts (the line too), and gives its exit code.
int work_on_line(Line& line, const std::function<int(const std::atomic<bool>& cancelled)>& work);

}  // namespace vqas::cli
