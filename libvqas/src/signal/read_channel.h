#pragma once

#include <filesystem>
#include <vector>

#include "signal/sound_file.h"
#include "signal/sound_header.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The samples of one channel from where `file` stands to its end. `channel` is counted from 1; 0: the first. Fails
/// with bad_input when there are none, fewer than its header declares, or more than `limits` allows, and when one is
/// not finite. The result has the memory of `samples`. For one thread.
Result<std::vector<float>> read_channel(const std::filesystem::path& path, const SoundFile& file, int channel,
                                        const SoundLimits& limits, std::vector<float> samples = {});

}  // namespace vqas
