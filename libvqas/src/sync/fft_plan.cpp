#include "sync/fft_plan.h"

#include <mutex>

#include "signal/fft_planner.h"

namespace vqas::sync {
namespace {

void destroy_plan(fftwf_plan plan) {
  const std::scoped_lock lock(fft_planner_lock());
  fftwf_destroy_plan(plan);
}

fftwf_complex* raw(std::span<std::complex<float>> values) {
  return reinterpret_cast<fftwf_complex*>(values.data());
}

}  // namespace

FftPlan::FftPlan(std::span<float> in, std::span<std::complex<float>> out) : plan_(nullptr, destroy_plan) {
  const std::scoped_lock lock(fft_planner_lock());
  plan_.reset(
      fftwf_plan_dft_r2c_1d(static_cast<int>(in.size()), in.data(), raw(out), FFTW_ESTIMATE | FFTW_PRESERVE_INPUT));
}

FftPlan::FftPlan(std::span<std::complex<float>> in, std::span<std::complex<float>> out) : plan_(nullptr, destroy_plan) {
  const std::scoped_lock lock(fft_planner_lock());
  plan_.reset(fftwf_plan_dft_1d(static_cast<int>(in.size()), raw(in), raw(out), FFTW_BACKWARD, FFTW_ESTIMATE));
}

}  // namespace vqas::sync
