#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace vqas {

/// Memory that begins where a line of the cache does: reading a wide register that crosses into the next line takes
/// twice as long.
template <typename T>
struct AlignedAllocator {
  static constexpr std::align_val_t kLine{64};
  using value_type = T;
  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), kLine)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, kLine); }
  template <typename U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace vqas
