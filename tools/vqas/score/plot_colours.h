#pragma once

#include <cstdint>

namespace vqas::cli {

/// A colour as Cairo's 24-bit images hold it, 0x00RRGGBB.
using Rgb = std::uint32_t;

/// Dark blue over green to yellow, growing in lightness, so that it survives a grey copy; `value` 0..1.
Rgb power_colour(double value);

/// Blue over white to red; `value` -1..1.
Rgb difference_colour(double value);

}  // namespace vqas::cli
