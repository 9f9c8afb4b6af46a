#pragma once

#include <cstddef>
#include <vector>

namespace vqas {

/// The rate at which a telephone line is sampled (ITU-T G.711), and the one at which VQAS scores, in Hz.
inline constexpr int kLineRateHz = 8000;

/// A mono recording. Samples are linear, full scale is ±1; a file may exceed it, a line may not.
struct Signal {
  std::vector<float> samples;
  int rate_hz = kLineRateHz;

  std::size_t size() const { return samples.size(); }
  bool empty() const { return samples.empty(); }
  double seconds() const { return static_cast<double>(samples.size()) / rate_hz; }
};

}  // namespace vqas
