#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// The whole of the regular file `name` below `folder`, which may be somebody else's work: no part of `name` is
/// followed as a symbolic link or leads upwards, so that nothing is read but what lies there. `folder` itself may be a
/// link. Fails with bad_input when it is not there, is no such file or holds more than `most_bytes`, with io when the
/// system refuses. Re-entrant.
Result<std::string> read_beneath(const std::filesystem::path& folder, const std::filesystem::path& name,
                                 std::uint64_t most_bytes);

}  // namespace vqas
