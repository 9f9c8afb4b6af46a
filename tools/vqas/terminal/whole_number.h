#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <limits>

namespace vqas::cli {

/// Accepts only decimal digits that make a number from `least` to `most`. CLI11 by itself would wrap a negative number
/// to a large one and truncate one that is too large.
CLI::Validator whole_number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// A finite number from `least` to `most`, both included.
CLI::Validator finite(double least, double most);

}  // namespace vqas::cli
