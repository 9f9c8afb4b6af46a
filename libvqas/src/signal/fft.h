#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "signal/aligned.h"

struct fftwf_plan_s;

namespace vqas {

/// With the same alignment a plan made on one buffer can be executed on another.
template <typename T>
using FftBuffer = AlignedVector<T>;
using Complex = std::complex<float>;

/// An FFTW plan. Creating and destroying plans are the only FFTW calls that are not thread-safe, so fft.cpp holds a
/// program-wide lock during both.
using FftPlan = std::unique_ptr<fftwf_plan_s, void (*)(fftwf_plan_s*)>;

/// An FFT of one size of complex signals in single precision, out of place, planned with FFTW_ESTIMATE, so that every
/// instance gives the same results. Execution is re-entrant, allocates nothing and takes no lock. Input and output need
/// 16-byte alignment (FftBuffer at a multiple of 4 floats or 2 complex values). One complex transform can carry two
/// real recordings.
class ComplexFft {
 public:
  explicit ComplexFft(std::size_t size);
  std::size_t size() const { return size_; }
  /// Both preserve `in`.
  void forward(const Complex* in, Complex* out) const;
  /// Unscaled: size times the signal.
  void inverse(const Complex* in, Complex* out) const;

 private:
  std::size_t size_;
  FftPlan forward_;
  FftPlan inverse_;
};

/// The same for real signals of a multiple of 4 samples: a complex transform of half the size, whose even and odd
/// samples are the two parts of one value. FFTW's own real transforms of these sizes take up to twice as long, and
/// their plans a millisecond each.
class RealFft {
 public:
  explicit RealFft(std::size_t size);
  std::size_t size() const { return 2 * half_.size(); }
  std::size_t bins() const { return half_.size() + 1; }
  /// bins() rounded up so that rows of spectra stay aligned.
  std::size_t row() const { return (bins() + 7) / 8 * 8; }
  /// Preserves `in`.
  void forward(const float* in, Complex* out) const;
  /// Unscaled (size times the signal); overwrites `in`.
  void inverse(Complex* in, float* out) const;

 private:
  ComplexFft half_;
  std::vector<Complex> turns_;  // of bins 0 to size/4: exp(-2·pi·i·bin/size)/2i
};

/// RealFft::inverse() by a plan of FFTW's own, whose last bits differ from 1,024 samples on. For LineResponse, whose
/// residues are so small that these bits move an index by a hundredth of a decibel.
class RealInverse {
 public:
  explicit RealInverse(std::size_t size);
  /// Unscaled; overwrites `in`.
  void run(Complex* in, float* out) const;

 private:
  FftPlan plan_;
};

}  // namespace vqas
