#pragma once

#include <string>
#include <vector>

#include "vqas/corpus/corpus.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Whether a line of this rate, 8000 or 16000 Hz, can carry the corpus between two ends that know of each other by
/// marks alone: 1 to 254 stimuli, and a recording at that rate of each that is sent or expected, the `chosen` ids
/// (empty: all). Fails with bad_input. Re-entrant.
Status check_line_stimuli(const Corpus& corpus, const std::vector<std::string>& chosen, int rate_hz);

}  // namespace vqas
