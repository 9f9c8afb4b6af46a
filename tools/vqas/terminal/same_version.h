#pragma once

#include <string_view>

#include "vqas/signal/result.h"

namespace vqas::cli {

// The two programs named vqas score alike only if they have one version, and one version of each score. What becomes
// the other one tells it its own by an environment variable; the other takes the variable away, so that no child has
// it.

/// What to do where the two do not fit together.
inline constexpr std::string_view kInstallWhole = "install VQAS as a whole (its package, or cmake --install)";

/// Whether this program was started by one that told this version.
bool is_started_by_front();
/// Tells the version of this program to what it becomes by exec.
void tell_version();
/// An io error if this program was started by one that told another version. Call it once, before there are threads.
Status check_version();

}  // namespace vqas::cli
