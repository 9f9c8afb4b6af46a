#pragma once

#include "vqas/batch/score_manifest.h"

namespace vqas::cli {

/// vqas score --manifest: runs the batch, shows progress and remaining time on a terminal, stops on SIGINT and SIGTERM,
/// prints a summary. The exit code: 0 every pair has a score, 4 some have none, 6 stopped, else that of the error.
int score_manifest_command(const BatchOptions& options, bool json);

}  // namespace vqas::cli
