#pragma once

#include <cstddef>
#include <exception>
#include <new>

namespace vqas::cli {

/// Prints "vqas: message." to stderr for an exception (out of memory, or a fault of VQAS itself), and gives the exit
/// code.
int report_exception(const std::exception& thrown);

/// operator new of this program: as the standard's, but its exception tells the requested size.
void* allocate(std::size_t bytes);

}  // namespace vqas::cli
