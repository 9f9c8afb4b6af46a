#pragma once

#include <cstddef>

#include "vqas/sampling/sampler.h"

namespace vqas {

/// Measurements that `sampler` will want whatever the missing scores are: Sampler::wanted(), and the steps behind its
/// next look that cannot be spared because even scores at the mean would leave the half-width above the goal. At least
/// wanted(); 0 when finished. Measuring them before the look changes nothing of what is measured in the end, and so
/// nothing of the interval; a cap of line time or of failures alone can make them too many. Re-entrant.
std::size_t certain(const Sampler& sampler);

/// How often `sampler` will look again after its next look, if the deviation stays as it is: each time half of what is
/// still expected (Sampler::expected_more()) is measured first, at least a step. 0 when the next look is expected to
/// end it, or when it is finished. Re-entrant.
std::size_t expected_looks(const Sampler& sampler);

}  // namespace vqas
