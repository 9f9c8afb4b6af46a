#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// Which bits of a stream were wrong.
struct ErrorPattern {
  std::vector<std::uint64_t> places;  ///< of the wrong bits, counted from 0, rising; each is below `bits`
  std::uint64_t bits = 0;             ///< length of the stream
  bool operator==(const ErrorPattern&) const = default;
};

enum class PatternFormat {
  /// 16-bit little-endian words of ITU-T G.192: 0x007F a good bit, 0x0081 a bad one. Read with frames (0x6B21, the
  /// number of bits, the bits) or without, as in the bit error patterns of ITU-T G.191; written in frames of 160 bits,
  /// the last one shorter. A lost frame (0x6B20) is read with the bits that it holds.
  g192,
  /// Eight pattern bits per octet, the first in the most significant, 1 for an error: the order of G.711 on the line.
  bits,
};

/// Longest pattern that can be read or written: a day of G.711.
inline constexpr std::uint64_t kLongestPatternBits = 64000ULL * 86400;

/// Reads an error pattern; its format follows from the name, ".g192" or ".bits". Fails with bad_input, naming the file
/// and the position of the fault, when it is missing, empty, truncated or too long, or holds a word that is not a G.192
/// bit. Re-entrant.
Result<ErrorPattern> read_error_pattern(const std::filesystem::path& path);

/// Writes the pattern in the format given by the name; the file appears only when complete. A plain bit file is padded
/// to a whole octet with good bits. Fails with bad_input for any other name, and with io. Re-entrant.
Status write_error_pattern(const std::filesystem::path& path, const ErrorPattern& pattern);

/// The format given by a file's name. Fails with bad_input.
Result<PatternFormat> pattern_format(const std::filesystem::path& path);

}  // namespace vqas
