#pragma once

#include <cstdint>

#include "vqas/channel/error_process.h"

namespace vqas::test {

/// Good bits before the next bad one; ErrorProcess::kNever when there is none.
inline std::uint64_t next_gap(ErrorProcess& errors) {
  std::uint64_t good = 0;
  for (;;) {
    const ErrorStep step = errors.next_step();
    if (step.good == ErrorProcess::kNever) return ErrorProcess::kNever;
    good += step.good;
    if (step.is_error) return good;
  }
}

}  // namespace vqas::test
