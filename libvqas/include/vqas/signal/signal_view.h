#pragma once

#include <cstddef>
#include <span>

#include "vqas/signal/signal.h"

namespace vqas {

/// A mono recording whose samples belong to the caller. They must live, and not change, as long as the view is used.
struct SignalView {
  std::span<const float> samples;  ///< as those of a Signal
  int rate_hz = kLineRateHz;

  SignalView(std::span<const float> given, int rate) : samples(given), rate_hz(rate) {}
  SignalView(const Signal& signal)  // NOLINT(google-explicit-constructor)
      : samples(signal.samples), rate_hz(signal.rate_hz) {}

  std::size_t size() const { return samples.size(); }
  bool empty() const { return samples.empty(); }
  double seconds() const { return static_cast<double>(samples.size()) / rate_hz; }
};

}  // namespace vqas
