#pragma once

#include "vqas/signal/result.h"

namespace vqas::cli {

// The two programs named vqas score alike only if they are of one build. What becomes the other one tells it by an
// environment variable of which build it is; the other takes the variable away, so that no child has it.

/// Whether this program was started by one that told its build.
bool is_started_by_front();
/// Tells the build of this program to what it becomes by exec.
void tell_build();
/// An io error if this program was started by one of another build. Call it once, before there are threads.
Status check_build();

}  // namespace vqas::cli
