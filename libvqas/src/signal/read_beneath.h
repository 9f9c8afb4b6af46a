#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// The content of the regular file `name` below `folder`. The folder is untrusted: no component of `name` may be a
/// symbolic link or lead upwards, so that only files below `folder` are read. `folder` itself may be a link. Fails with
/// bad_input when the file does not exist, is not a regular file or holds more than `most_bytes`; with io on a system
/// error. Re-entrant.
Result<std::string> read_beneath(const std::filesystem::path& folder, const std::filesystem::path& name,
                                 std::uint64_t most_bytes);

}  // namespace vqas
