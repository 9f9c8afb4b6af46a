#include "signal/fft.h"

#include <fftw3.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <numbers>

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

using Four = float __attribute__((vector_size(16)));  // two complex values
constexpr Four kConjugate{1, -1, 1, -1};

/// Bin k of the half transform, `a`, and the conjugate of its mirror, `b`, become those of the real signal, or back:
/// s(a + b) + w(a - b) and, before it is conjugated, s(a + b) - w(a - b). Without the bins 0 and `half`.
template <bool kIsForward>
void turn(Complex* bins, std::size_t half, const std::vector<Complex>& turns) {
  constexpr float kShare = kIsForward ? 0.5F : 1.0F;
  std::size_t k = 1;
  for (; 2 * k + 2 < half; k += 2) {
    Four a, b, by;
    std::memcpy(&a, bins + k, sizeof a);
    std::memcpy(&b, bins + half - k - 1, sizeof b);
    std::memcpy(&by, &turns[k], sizeof by);
    b = __builtin_shufflevector(b, b, 2, 3, 0, 1) * kConjugate;
    const Four even = kShare * (a + b);
    const Four apart = a - b;
    const Four by_re = __builtin_shufflevector(by, by, 0, 0, 2, 2);
    const Four by_im = __builtin_shufflevector(by, by, 1, 1, 3, 3) * kConjugate;
    const Four crossed = __builtin_shufflevector(apart, apart, 1, 0, 3, 2) * by_im;
    const Four odd = kIsForward ? apart * by_re - crossed : 2 * (apart * by_re + crossed);
    a = even + odd;
    b = (even - odd) * kConjugate;
    b = __builtin_shufflevector(b, b, 2, 3, 0, 1);
    std::memcpy(reinterpret_cast<float*>(bins + k), &a, sizeof a);
    std::memcpy(reinterpret_cast<float*>(bins + half - k - 1), &b, sizeof b);
  }
  for (; 2 * k <= half; ++k) {
    const Complex a = bins[k];
    const Complex b = std::conj(bins[half - k]);
    const Complex even = kShare * (a + b);
    const Complex odd = kIsForward ? turns[k] * (a - b) : 2.0F * std::conj(turns[k]) * (a - b);
    bins[k] = even + odd;
    bins[half - k] = std::conj(even - odd);
  }
}

}  // namespace

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

RealFft::RealFft(std::size_t size) : half_(size / 2), turns_(size / 4 + 1) {
  // From few sines: those of large transforms would take as long as the plan.
  constexpr std::size_t kApart = 64;
  const auto turn = [size](std::size_t bin) {
    return std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(bin) / static_cast<double>(size));
  };
  std::vector<std::complex<double>> fine(kApart);
  for (std::size_t n = 0; n < kApart; ++n) fine[n] = turn(n);
  for (std::size_t first = 0; first < turns_.size(); first += kApart) {
    const std::complex<double> coarse = turn(first) * std::complex<double>(0, -0.5);
    for (std::size_t n = first; n < std::min(first + kApart, turns_.size()); ++n)
      turns_[n] = Complex(coarse * fine[n - first]);
  }
}

void RealFft::forward(const float* in, Complex* out) const {
  half_.forward(reinterpret_cast<const Complex*>(in), out);
  const Complex both = out[0];
  out[0] = both.real() + both.imag();
  out[half_.size()] = both.real() - both.imag();
  turn<true>(out, half_.size(), turns_);
}

void RealFft::inverse(Complex* in, float* out) const {
  const float even = in[0].real();
  const float odd = in[half_.size()].real();
  in[0] = {even + odd, even - odd};
  turn<false>(in, half_.size(), turns_);
  half_.inverse(in, reinterpret_cast<Complex*>(out));
}

RealInverse::RealInverse(std::size_t size) : plan_(nullptr, destroy_plan) {
  FftBuffer<Complex> in(size / 2 + 1);
  FftBuffer<float> out(size);
  const std::scoped_lock lock(planner_lock());
  plan_.reset(fftwf_plan_dft_c2r_1d(static_cast<int>(size), raw(in.data()), out.data(), FFTW_ESTIMATE));
}

void RealInverse::run(Complex* in, float* out) const {
  fftwf_execute_dft_c2r(plan_.get(), raw(in), out);
}

}  // namespace vqas
