#pragma once

#include <string_view>

namespace vqas {

/// What the note of a wideband measurement says where the telephone's band alone arrived.
inline constexpr std::string_view kNarrowPath = "nothing above 4000 Hz arrived";

}  // namespace vqas
