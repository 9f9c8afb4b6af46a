#pragma once

#include <filesystem>
#include <vector>

#include "campaign/hooks/hook_queue.h"
#include "vqas/signal/result.h"

namespace vqas::campaign {

inline constexpr const char* kHooksFileSchema = "vqas-hooks/1";

/// What hooks remember. State and queue are one file, so that a kill never loses an event between them.
struct HooksOnDisk {
  WatchState state;
  std::vector<QueuedHook> queued;
};

/// Fails with bad_input if the file is missing or damaged.
Result<HooksOnDisk> read_hooks_file(const std::filesystem::path& folder);
/// Replaces the file as a whole and makes the folder if it is missing. Fails with io.
Status write_hooks_file(const std::filesystem::path& folder, const HooksOnDisk& hooks);

}  // namespace vqas::campaign
