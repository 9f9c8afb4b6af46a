#pragma once

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <span>

namespace vqas::sync {

/// Memory from FFTW's allocator, of one size for ever.
template <typename T>
class FftBuffer {
 public:
  explicit FftBuffer(std::size_t size)
      : memory_(static_cast<T*>(fftwf_malloc(size * sizeof(T))), fftwf_free), size_(size) {
    if (memory_ == nullptr) throw std::bad_alloc();
    for (T& value : values()) value = T{};
  }
  std::span<T> values() { return {memory_.get(), size_}; }
  T* data() { return memory_.get(); }
  T& operator[](std::size_t i) { return memory_.get()[i]; }

 private:
  std::unique_ptr<T, void (*)(void*)> memory_;
  std::size_t size_;
};

/// A plan of FFTW in single precision over buffers of its own, made with FFTW_ESTIMATE so that every instance computes
/// the same. Executing allocates nothing; different plans may run at the same time.
class FftPlan {
 public:
  FftPlan(std::span<float> in, std::span<std::complex<float>> out);                ///< real to complex, forward
  FftPlan(std::span<std::complex<float>> in, std::span<std::complex<float>> out);  ///< complex, inverse, unscaled
  void execute() { fftwf_execute(plan_.get()); }

 private:
  std::unique_ptr<std::remove_pointer_t<fftwf_plan>, void (*)(fftwf_plan)> plan_;
};

}  // namespace vqas::sync
