#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vqas::scoring {

/// Active speech level by ITU-T P.56 method B, with the envelope taken once a millisecond and all thresholds counted in
/// one pass, because every pair needs up to three: within 0.02 dB of measure_speech_level().
/// Holds its work space; for one thread.
class ActiveLevel {
 public:
  /// In dBov. Nothing for silence or less than a millisecond. `rate_hz` is a multiple of 1000.
  std::optional<double> measure(std::span<const float> samples, int rate_hz);

 private:
  std::vector<float> magnitude_, square_;  // summed over each millisecond
  std::vector<std::int32_t> exponent_;     // of the envelope, as a power of two
};

}  // namespace vqas::scoring
