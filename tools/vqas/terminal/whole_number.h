#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <limits>

namespace vqas::cli {

/// Takes decimal digits alone that make a number of `least` to `most`. CLI11 by itself would wrap a negative number
/// round to a large one and cut off what is too large.
CLI::Validator whole_number(std::uint64_t least = 0, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

/// A number between the two, both allowed; no infinity, and nothing that is no number.
CLI::Validator finite(double least, double most);

}  // namespace vqas::cli
