#pragma once

#include <cstddef>

#include "vqas/signal/result.h"

namespace vqas::cli {

/// As many files as a command with an event loop, connections and child processes may open at the same time.
inline constexpr std::size_t kOpenFilesNeeded = 64;

/// Raises the soft limit so that this program and its children can open `needed` more files. Fails with io, naming the
/// limit and the cure. Without them Qt would wait for ever for what it could not open.
Status allow_open_files(std::size_t needed = kOpenFilesNeeded);

}  // namespace vqas::cli
