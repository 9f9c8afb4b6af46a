#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// Which bits of a stream were wrong.
struct ErrorPattern {
  std::vector<std::uint64_t> places;  ///< of the wrong bits, counted from 0, rising; each is below `bits`
  std::uint64_t bits = 0;             ///< how long the stream was
  bool operator==(const ErrorPattern&) const = default;
};

enum class PatternFormat {
  /// 16-bit little-endian words of ITU-T G.192: 0x007F a good bit, 0x0081 a bad one. Read with frames (0x6B21, the
  /// count
  /// of bits, the bits) or without, as ITU-T G.191 keeps bit error patterns; written in frames of 160 bits, the last
  /// one shorter. A lost frame (0x6B20) is read with the bits that it holds.
  g192,
  /// Eight pattern bits an octet, the first in the most significant, 1 is an error: the order of G.711 on the line.
  bits,
};

/// The longest pattern that is read or written: a day of G.711.
inline constexpr std::uint64_t kLongestPatternBits = 64000ULL * 86400;

/// Reads an error pattern; the format is told by the name, ".g192" or ".bits". Fails with bad_input, naming the file
/// and the place of the fault, when it is missing, empty, cut off, holds a word that is no G.192 bit, or is too long.
/// Re-entrant.
Result<ErrorPattern> read_error_pattern(const std::filesystem::path& path);

/// Writes it in the format that the name tells; the file appears only when whole. A plain bit file ends with a whole
/// octet, filled with good bits. Fails with bad_input for another name, and with io. Re-entrant.
Status write_error_pattern(const std::filesystem::path& path, const ErrorPattern& pattern);

/// The format that a file's name tells. Fails with bad_input.
Result<PatternFormat> pattern_format(const std::filesystem::path& path);

/// Where two streams of octets differ; the longer one is compared as far as the shorter reaches.
ErrorPattern compare_octets(const std::vector<std::uint8_t>& sent, const std::vector<std::uint8_t>& received);

}  // namespace vqas
