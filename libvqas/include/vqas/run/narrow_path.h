#pragma once

#include <cstddef>
#include <string_view>

namespace vqas {

/// What the note of a wideband measurement says where the telephone's band alone arrived.
inline constexpr std::string_view kNarrowPath = "nothing above 4000 Hz arrived";

/// Whether a path with `narrow` scores without the upper band among `scored` ones is narrowband: more than half of
/// them. What has no score counts in neither.
constexpr bool is_narrow_path(std::size_t narrow, std::size_t scored) {
  return 2 * narrow > scored;
}

}  // namespace vqas
