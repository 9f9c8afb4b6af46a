#pragma once

#include <QDateTime>
#include <QString>
#include <filesystem>

#include "vqas/signal/result.h"

namespace vqas::app {

/// What is kept as the baseline in this folder, in sentences; or how to make one. Reads the disk. Re-entrant.
QString baseline_words(const std::filesystem::path& folder, const QDateTime& now);

/// Makes a run the baseline of this machine. Reads the disk, and the corpus in `corpus`. Fails with bad_input or io.
/// Re-entrant.
Status make_baseline(const std::filesystem::path& run, const std::filesystem::path& corpus);

}  // namespace vqas::app
