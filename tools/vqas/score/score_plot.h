#pragma once

#include <filesystem>
#include <string>

#include "vqas/score/explanation.h"
#include "vqas/signal/result.h"

namespace vqas::cli {

/// Draws reference and degraded spectrograms one above the other, the distance map, the delay track and the verdict, on
/// one axis of time: that of the reference. `path` ends in .svg or .png. Fails with bad_input for another ending, with
/// io when it cannot be written; the file appears under its name only when whole.
Status plot_score(const std::filesystem::path& path, const ExplainedScore& explained, const std::string& reference,
                  const std::string& degraded);

}  // namespace vqas::cli
