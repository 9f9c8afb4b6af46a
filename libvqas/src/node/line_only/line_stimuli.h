#pragma once

#include "vqas/corpus/corpus.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Whether a line of this rate, 8000 or 16000 Hz, can carry the corpus between two ends that know of each other by
/// marks alone: 1 to 254 stimuli, each with a recording at that rate. Fails with bad_input. Re-entrant.
Status check_line_stimuli(const Corpus& corpus, int rate_hz);

}  // namespace vqas
