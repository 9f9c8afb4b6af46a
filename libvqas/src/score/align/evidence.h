#pragma once

#include <span>
#include <vector>

#include "score/align/aligner.h"

namespace vqas::scoring {

/// What speaks for an alignment, in nats: the sum of what its frames say, -log(1 - r^2) of each correlation r, less
/// what each change of the delay costs among the delays that were open to it. Of two alignments of one pair the one
/// with more is the likelier, however many delays either was free to choose from. Pure; linear in the frames.
double evidence_of(const Alignment& alignment, const DelayRange& range);

/// Whether no other delay can be worth its steps: no stretch of the frames falls short of what the line's quality lets
/// expect by more than three changes of the delay would cost. `correlation` and `weight` are those of one delay for all
/// frames. Where no frame keeps its waveform (`quality_from`, a correlation) nothing can be expected, and the answer is
/// no. `work` holds the work space.
bool one_delay_holds(std::span<const float> correlation, std::span<const float> weight, const DelayRange& range,
                     double quality_from, std::vector<double>& work);

}  // namespace vqas::scoring
