#include "signal/fft.h"

#include <fftw3.h>

#include <mutex>
#include <new>

namespace vqas {
namespace {

std::mutex& planner_lock() {
  static std::mutex lock;
  return lock;
}

void destroy_plan(fftwf_plan plan) {
  const std::scoped_lock lock(planner_lock());
  fftwf_destroy_plan(plan);
}

fftwf_complex* raw(Complex* data) {
  return reinterpret_cast<fftwf_complex*>(data);
}

}  // namespace

void* allocate_for_fft(std::size_t bytes) {
  void* const memory = fftwf_malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release_from_fft(void* memory) {
  fftwf_free(memory);
}

RealFft::RealFft(std::size_t size) : size_(size), forward_(nullptr, destroy_plan), inverse_(nullptr, destroy_plan) {
  FftBuffer<float> signal(size);
  FftBuffer<Complex> spectrum(bins());
  const int n = static_cast<int>(size);
  const std::scoped_lock lock(planner_lock());
  forward_.reset(fftwf_plan_dft_r2c_1d(n, signal.data(), raw(spectrum.data()), FFTW_ESTIMATE | FFTW_PRESERVE_INPUT));
  inverse_.reset(fftwf_plan_dft_c2r_1d(n, raw(spectrum.data()), signal.data(), FFTW_ESTIMATE));
}

void RealFft::forward(const float* in, Complex* out) const {
  // FFTW takes a non-const pointer; with FFTW_PRESERVE_INPUT it does not write to it.
  fftwf_execute_dft_r2c(forward_.get(), const_cast<float*>(in), raw(out));  // NOLINT
}

void RealFft::inverse(Complex* in, float* out) const {
  fftwf_execute_dft_c2r(inverse_.get(), raw(in), out);
}

ComplexFft::ComplexFft(std::size_t size)
    : size_(size), forward_(nullptr, destroy_plan), inverse_(nullptr, destroy_plan) {
  FftBuffer<Complex> in(size);
  FftBuffer<Complex> out(size);
  const int n = static_cast<int>(size);
  const std::scoped_lock lock(planner_lock());
  const auto plan = [&](int direction) {
    return fftwf_plan_dft_1d(n, raw(in.data()), raw(out.data()), direction, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  };
  forward_.reset(plan(FFTW_FORWARD));
  inverse_.reset(plan(FFTW_BACKWARD));
}

void ComplexFft::forward(const Complex* in, Complex* out) const {
  fftwf_execute_dft(forward_.get(), raw(const_cast<Complex*>(in)), raw(out));  // NOLINT: preserved by the plan
}

void ComplexFft::inverse(const Complex* in, Complex* out) const {
  fftwf_execute_dft(inverse_.get(), raw(const_cast<Complex*>(in)), raw(out));  // NOLINT: preserved by the plan
}

}  // namespace vqas
