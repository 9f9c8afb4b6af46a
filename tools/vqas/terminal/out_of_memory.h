#pragma once

#include <cstddef>
#include <exception>
#include <new>

namespace vqas::cli {

/// Prints "vqas: message." to stderr for what a command threw, memory that ran out or a fault of VQAS itself, and gives
/// the exit code.
int report_exception(const std::exception& thrown);

/// What operator new of this program does: as the standard's, but what it throws says how much was asked for.
void* allocate(std::size_t bytes);

}  // namespace vqas::cli
