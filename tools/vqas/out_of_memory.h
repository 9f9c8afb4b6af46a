#pragma once

#include <cstddef>
#include <new>

namespace vqas::cli {

/// What operator new of this program does: as the standard's, but what it throws says how much was asked for.
void* allocate(std::size_t bytes);

}  // namespace vqas::cli
