#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "campaign/hooks/hook_program.h"
#include "campaign/hooks/hook_queue.h"

namespace vqas::campaign {

/// The log begins anew when it is larger; the one before it stays beside it.
inline constexpr std::uint64_t kLargestLog = 1U << 20U;

/// Adds one run of a program to the log in `folder`. What cannot be written is lost: a full disk must not hold up the
/// measuring.
void log_hook(const std::filesystem::path& folder, const std::string& utc, const QueuedHook& hook,
              const std::string& program, const HookResult& result, const std::string& what_follows);
/// Adds a line on a document that is dropped without having been sent.
void log_dropped(const std::filesystem::path& folder, const std::string& utc, const HookMessage& message);

}  // namespace vqas::campaign
