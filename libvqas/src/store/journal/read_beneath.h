#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::store {

/// Longer than any transmission; a larger file is no recording of ours.
inline constexpr std::uint64_t kLargestRecording = 64U << 20U;
/// Member of a measurement's line in the journal: SHA-256 of its recording's file.
inline constexpr const char* kRecordingDigest = "recording_sha256";
/// SHA-256 of these bytes, 64 hexadecimal digits.
std::string digest_of(const std::string& bytes);

/// The whole of the regular file `name` below `folder`, which may be somebody else's work: no part of `name` is
/// followed as a symbolic link or leads upwards, so that nothing is read but what lies there. `folder` itself may be a
/// link. Fails with bad_input when it is not there, is no such file or holds more than `most_bytes`, with io when the
/// system refuses. Re-entrant.
Result<std::string> read_beneath(const std::filesystem::path& folder, const std::filesystem::path& name,
                                 std::uint64_t most_bytes);

}  // namespace vqas::store
