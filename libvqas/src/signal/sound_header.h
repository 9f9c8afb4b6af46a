#pragma once

#include <sndfile.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>

#include "vqas/signal/result.h"

namespace vqas {

/// Most samples of a channel that are read into memory, whatever the rate: four hours at 48 kHz, 2.8 GB. Silence is
/// compressed so well that a limit in seconds alone would let a file of some MB fill the memory.
inline constexpr std::size_t kMostSamples = std::size_t{14400} * 48000;

/// How long a recording may be.
struct SoundLimits {
  double seconds = 0;
  std::size_t samples = std::numeric_limits<std::size_t>::max();  ///< of a channel

  std::size_t at(int rate_hz) const {
    return static_cast<std::size_t>(std::min(seconds * rate_hz, static_cast<double>(samples)));
  }
};
/// The error for a recording beyond the limits.
Error too_long(const std::filesystem::path& path, int rate_hz, const SoundLimits& limits);

/// Checks what the header of a recording declares, before a sample is read: channels, rate and length. `channel` is
/// counted from 1; 0: the file must be mono. A length that the header does not give passes. Fails with bad_input.
/// Re-entrant.
Status check_header(const std::filesystem::path& path, const SF_INFO& info, int channel, const SoundLimits& limits);

}  // namespace vqas
