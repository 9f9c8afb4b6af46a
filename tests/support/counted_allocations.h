#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

// Counts all allocations of the program, including aligned ones, also those of its shared libraries, and lets one fail.
// It defines the operators, so only one source of a test may include it.
namespace {
std::atomic<std::size_t> allocations{0};
thread_local long allocations_left = -1;      // of this thread, until one fails; below 0: none fails
thread_local bool allocation_failed = false;  // since a test reset it

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  if (allocations_left == 0) {
    allocation_failed = true;
    throw std::bad_alloc();
  }
  if (allocations_left > 0) --allocations_left;
  void* const memory = alignment == 0 ? std::malloc(size == 0 ? 1 : size)
                                      : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

// GCC does not see that these belong together.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t size) {
  return allocate(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
