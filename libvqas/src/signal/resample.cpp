#include "vqas/signal/resample.h"

#include <fmt/format.h>
#include <soxr.h>

#include <cmath>
#include <span>
#include <vector>

namespace vqas {
namespace {

constexpr int kLowestRateHz = 1000;
constexpr int kHighestRateHz = 1000000;
constexpr double kLargestDriftPpm = 20000;

Result<std::vector<float>> convert(std::span<const float> in, double in_rate, double out_rate) {
  const auto wanted = static_cast<std::size_t>(std::llround(static_cast<double>(in.size()) * out_rate / in_rate));
  std::vector<float> out(wanted + 16);
  const soxr_quality_spec_t quality = soxr_quality_spec(SOXR_VHQ, 0);
  std::size_t produced = 0;
  const soxr_error_t fault = soxr_oneshot(in_rate, out_rate, 1, in.data(), in.size(), nullptr, out.data(), out.size(),
                                          &produced, nullptr, &quality, nullptr);
  if (fault != nullptr)
    return Error{ErrorCode::unsupported, fmt::format("cannot convert the sampling rate: {}", fault)};
  out.resize(std::min(wanted, produced));
  return out;
}

}  // namespace

Result<Signal> resample(SignalView signal, int rate_hz) {
  for (const int rate : {signal.rate_hz, rate_hz}) {
    if (rate < kLowestRateHz || rate > kHighestRateHz) {
      return Error{ErrorCode::bad_input, fmt::format("cannot convert the sampling rate: {} Hz is outside {}..{} Hz",
                                                     rate, kLowestRateHz, kHighestRateHz)};
    }
  }
  if (signal.rate_hz == rate_hz || signal.empty())
    return Signal{{signal.samples.begin(), signal.samples.end()}, rate_hz};
  auto samples = convert(signal.samples, signal.rate_hz, rate_hz);
  if (!samples) return samples.error();
  return Signal{*std::move(samples), rate_hz};
}

Result<Signal> correct_clock(SignalView signal, double drift_ppm) {
  if (!(std::abs(drift_ppm) <= kLargestDriftPpm)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("cannot correct a clock drift of {:.0f} ppm: the limit is {:.0f} ppm", drift_ppm,
                             kLargestDriftPpm)};
  }
  if (drift_ppm == 0 || signal.empty()) return Signal{{signal.samples.begin(), signal.samples.end()}, signal.rate_hz};
  auto samples = convert(signal.samples, signal.rate_hz * (1 + drift_ppm * 1e-6), signal.rate_hz);
  if (!samples) return samples.error();
  return Signal{*std::move(samples), signal.rate_hz};
}

}  // namespace vqas
