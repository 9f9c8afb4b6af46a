#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "vqas/channel/error_pattern.h"
#include "vqas/signal/result.h"

namespace vqas {

/// A stream within a pattern, and the position of its first packet in the pattern.
struct PatternStream {
  std::uint64_t at_octet = 0;
  std::uint32_t ssrc = 0;
  std::uint32_t timestamp = 0;  ///< of its first packet
};

/// Octets that the relay dropped; their bits are 0 in the pattern.
struct PatternLoss {
  std::uint64_t at_octet = 0;
  std::uint64_t octets = 0;
};

/// The notes on a pattern that the relay recorded, in FILE.json. The pattern itself is a plain bit file, or G.192 words
/// without frames: read_error_pattern().
struct PatternNotes {
  PatternFormat format = PatternFormat::bits;
  std::uint64_t octets = 0;  ///< of the sender's stream that the pattern covers
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
  /// Octets that the disk did not accept in time; their bits are 0 in the pattern.
  std::uint64_t unrecorded_octets = 0;
  std::vector<PatternStream> streams;  ///< at most 1000, the first ones
  std::vector<PatternLoss> losses;     ///< at most 1e6, the first ones
};

/// Two bytes for each of the eight bits.
inline constexpr std::uint64_t kG192BytesPerOctet = 16;
void append_g192_words(std::span<const std::uint8_t> octets, std::vector<std::uint8_t>& words);

/// Name of a pattern's file of notes, and its text.
std::filesystem::path notes_file(const std::filesystem::path& pattern);
std::string notes_text(const PatternNotes& notes);

}  // namespace vqas
