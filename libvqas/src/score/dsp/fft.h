#pragma once

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace vqas::scoring {

/// Memory as FFTW wants it, so that a plan made on one buffer may be executed on another.
template <typename T>
struct FftAllocator {
  using value_type = T;
  FftAllocator() = default;
  template <typename U>
  FftAllocator(const FftAllocator<U>&) {}  // NOLINT(google-explicit-constructor)
  T* allocate(std::size_t count) {
    void* memory = fftwf_malloc(count * sizeof(T));
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { fftwf_free(memory); }
  template <typename U>
  bool operator==(const FftAllocator<U>&) const {
    return true;
  }
};

template <typename T>
using FftBuffer = std::vector<T, FftAllocator<T>>;
using Complex = std::complex<float>;

/// An FFT of one size in single precision, planned with FFTW_ESTIMATE under one lock for the whole program, so that
/// every instance computes the same. Executing is re-entrant, allocates nothing and needs 16-byte alignment of both
/// sides (FftBuffer at a multiple of 4 floats or 2 complex values).
class RealFft {
 public:
  explicit RealFft(std::size_t size);
  std::size_t size() const { return size_; }
  std::size_t bins() const { return size_ / 2 + 1; }
  /// bins() rounded up so that rows of spectra stay aligned.
  std::size_t row() const { return (bins() + 7) / 8 * 8; }
  void forward(const float* in, Complex* out) const;
  /// Unscaled (size times the signal); destroys `in`.
  void inverse(Complex* in, float* out) const;

 private:
  using Plan = std::unique_ptr<std::remove_pointer_t<fftwf_plan>, void (*)(fftwf_plan)>;
  std::size_t size_;
  Plan forward_;
  Plan inverse_;
};

/// The same for complex signals, from one buffer into another. A complex transform carries two real recordings and is
/// cheaper than two real ones.
class ComplexFft {
 public:
  explicit ComplexFft(std::size_t size);
  std::size_t size() const { return size_; }
  /// Both leave `in` as it was.
  void forward(const Complex* in, Complex* out) const;
  /// Unscaled: size times the signal.
  void inverse(const Complex* in, Complex* out) const;

 private:
  using Plan = std::unique_ptr<std::remove_pointer_t<fftwf_plan>, void (*)(fftwf_plan)>;
  std::size_t size_;
  Plan forward_;
  Plan inverse_;
};

}  // namespace vqas::scoring
