#pragma once

#include <sndfile.h>

#include <cstddef>
#include <filesystem>

#include "vqas/signal/result.h"

namespace vqas {

/// Most samples of a channel that are read, whatever the rate: four hours at 48 kHz, 2.8 GB. Silence is compressed so
/// well that a limit in seconds alone would let a file of some MB fill the memory.
inline constexpr std::size_t kMostSamples = std::size_t{14400} * 48000;

/// Samples of the longest recording at this rate that is read, at most kMostSamples.
std::size_t most_samples(int rate_hz, double max_seconds);
/// The error for a recording that holds more.
Error too_long(const std::filesystem::path& path, int rate_hz, double max_seconds);

/// Checks what the header of a recording declares, before a sample is read: channels, rate and length. `channel` is
/// counted from 1; 0: the file must be mono. A length that the header does not give passes. Fails with bad_input.
/// Re-entrant.
Status check_header(const std::filesystem::path& path, const SF_INFO& info, int channel, double max_seconds);

}  // namespace vqas
