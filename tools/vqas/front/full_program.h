#pragma once

#include "vqas/signal/result.h"

namespace vqas::cli {

/// Replaces this program by the full one, with the same process, arguments and environment but for the version that it
/// is told (same_version.h): returns only if that fails, with io. The full program has its place relative to this file,
/// as installed or else as built.
Error become_full_program(char** argv);

}  // namespace vqas::cli
