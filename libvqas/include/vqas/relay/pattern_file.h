#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// How an error pattern stands in a file.
enum class PatternFormat : std::uint8_t {
  bits,  ///< eight bits of the line to an octet, first on the line first; 1: inverted
  g192,  ///< a little-endian 16-bit word for each bit: 0x007F right, 0x0081 inverted (ITU-T G.192, annex B, as G.191
         ///< writes error patterns)
};

/// A stream within a pattern, and where the pattern of its first packet begins.
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

/// What stands beside a pattern, in FILE.json.
struct PatternNotes {
  PatternFormat format = PatternFormat::bits;
  std::uint64_t octets = 0;  ///< of the sender's stream that the pattern covers
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
  std::vector<PatternStream> streams;  ///< at most 1000, the first ones
  std::vector<PatternLoss> losses;     ///< at most 1e6, the first ones
};

/// Fails with bad_input or io and the file's name.
Result<PatternNotes> read_pattern_notes(const std::filesystem::path& pattern);

/// The octets of a pattern, 1 for an inverted bit, first on the line first. Fails with bad_input (a word that is
/// neither right nor wrong, half a word, more than 1 GiB) or io.
Result<std::vector<std::uint8_t>> read_pattern(const std::filesystem::path& file, PatternFormat format);

}  // namespace vqas
