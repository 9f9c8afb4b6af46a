#pragma once

#include <filesystem>

#include "vqas/corpus/corpus.h"
#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// Reads a recording of a corpus and checks it against its manifest's digest, rate and duration. Fails with bad_input.
Result<Signal> read_recording(const std::filesystem::path& folder, const Stimulus::File& file, int rate_hz);

}  // namespace vqas
