#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::store {

/// Largest file that is read: half a million measurements.
inline constexpr std::uint64_t kLargestFile = 256ULL << 20;

/// Reads a whole file of a run; fails as read_whole_file().
Result<std::string> read_file(const std::filesystem::path& path);

}  // namespace vqas::store
