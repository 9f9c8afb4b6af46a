#pragma once

#include <cstdint>

namespace vqas::store {

/// Longer than any transmission; a larger file is not a VQAS recording.
inline constexpr std::uint64_t kLargestRecording = 64U << 20U;
/// Member of a measurement's line in the journal: the SHA-256 of its recording's file.
inline constexpr const char* kRecordingDigest = "recording_sha256";

}  // namespace vqas::store
