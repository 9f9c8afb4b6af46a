#pragma once

#include <cstddef>

#include "vqas/sampling/sampler.h"

namespace vqas {

/// Number of measurements that `sampler` will want whatever the missing scores are: Sampler::wanted(), plus the steps
/// after its next look that will be needed even if all missing scores equal the mean. At least wanted(); 0 when
/// finished. Measuring them before the look does not change the final set of measurements or the interval; only a cap
/// of line time or of failures can make them too many. Re-entrant.
std::size_t certain(const Sampler& sampler);

/// Expected number of further looks after the next one if the deviation stays the same: each time half of what is still
/// expected (Sampler::expected_more()) is measured first, at least a step. 0 when the next look is expected to be the
/// last, or when finished. Re-entrant.
std::size_t expected_looks(const Sampler& sampler);
/// The same for `more` measurements that are expected after the next look, in steps of `step` (>= 1).
std::size_t expected_looks(std::size_t more, std::size_t step);

}  // namespace vqas
