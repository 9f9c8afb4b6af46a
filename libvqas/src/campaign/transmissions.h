#pragma once

#include <filesystem>
#include <vector>

#include "vqas/corpus/corpus.h"
#include "vqas/receive/check_findings.h"

namespace vqas {

/// The measurements of a direction with their recordings in the run's `folder` and their stimuli. A recording that
/// cannot be read is empty.
std::vector<CheckedTransmission> transmissions_of(const DirectionRun& direction, const std::filesystem::path& folder,
                                                  const Corpus& corpus, double guard_s);

}  // namespace vqas
