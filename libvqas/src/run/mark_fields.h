#pragma once

#include <array>
#include <optional>

#include "vqas/run/run.h"

namespace vqas {

/// A property of a measurement's marks, besides which were found, by its name in results, journals and on the socket;
/// present only if known.
struct MarkField {
  const char* name;
  std::optional<double> Measurement::*value;
  double step;  ///< rounding step in results
};

inline constexpr std::array<MarkField, 3> kMarkFields{{
    {"leading_confidence", &Measurement::leading_confidence, 1e-3},
    {"trailing_confidence", &Measurement::trailing_confidence, 1e-3},
    {"delay_step_ms", &Measurement::delay_step_ms, 1e-3},
}};

}  // namespace vqas
