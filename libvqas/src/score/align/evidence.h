#pragma once

#include "score/align/aligner.h"

namespace vqas::scoring {

/// What speaks for an alignment, in nats: the sum of what its frames say, -log(1 - r^2) of each correlation r, less
/// what each change of the delay costs among the delays that were open to it. Of two alignments of one pair the one
/// with more is the likelier, however many delays either was free to choose from. Pure; linear in the frames.
double evidence_of(const Alignment& alignment, const DelayRange& range);

}  // namespace vqas::scoring
