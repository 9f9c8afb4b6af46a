#pragma once

#include "vqas/run/run.h"

namespace vqas::report {

/// Coding that a healthy coder makes too, and that is no fault of the line: below its limit, at a cost that G.711 alone
/// has on some voices (libvqas/doc/impairments.md). A few bit errors may hide there, where they cost no more.
inline bool may_be_healthy_coder(const ImpairmentFinding& finding) {
  constexpr double kMostOfG711Mos = 0.9;
  return finding.impairment == Impairment::coding && finding.is_faint() &&
         finding.cost_mos.value_or(0) <= kMostOfG711Mos;
}

}  // namespace vqas::report
