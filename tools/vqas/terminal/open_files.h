#pragma once

#include <cstddef>

#include "vqas/signal/result.h"

namespace vqas::cli {

/// What a command with an event loop, connections and child processes may have to open at a time.
inline constexpr std::size_t kOpenFilesNeeded = 64;

/// Lets this program and its children open `needed` files besides those that are open now, as far as the system allows
/// it without being asked. Fails with io, naming the limit and the cure. Without them Qt waits for ever for what it
/// could not open.
Status allow_open_files(std::size_t needed = kOpenFilesNeeded);

}  // namespace vqas::cli
