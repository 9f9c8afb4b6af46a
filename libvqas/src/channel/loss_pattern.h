#pragma once

#include <filesystem>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// Reads which packets are lost from a file of frame marks as ITU-T G.191 keeps them: 16-bit little-endian words,
/// 0x6B21 for a packet that arrives and 0x6B20 for a lost one; a length and bits after a mark (G.192) are passed over.
/// Fails with bad_input, naming the file, when it is missing, empty, cut off, or holds another word. At most 10 million
/// marks.
Result<std::vector<bool>> read_loss_pattern(const std::filesystem::path& path);

}  // namespace vqas
