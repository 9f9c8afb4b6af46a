#pragma once

#include <filesystem>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// Reads the lost packets from a file of frame marks as in ITU-T G.191: 16-bit little-endian words, 0x6B21 for a packet
/// that arrives and 0x6B20 for a lost one; a length and bits after a mark (G.192) are skipped. Fails with bad_input,
/// naming the file, when it is missing, empty, truncated, or holds another word. At most 10 million marks.
Result<std::vector<bool>> read_loss_pattern(const std::filesystem::path& path);

}  // namespace vqas
