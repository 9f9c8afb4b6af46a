#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace vqas::g711 {

/// G.191 takes the 14 (mu law) or 12 (A law) upper bits of a 16-bit sample and folds negative ones by the one's
/// complement. The code depends only on these bits, and the tables stay in the first-level cache: 16 KiB and 4 KiB.
inline constexpr int kMuShift = 2;
inline constexpr int kAShift = 4;

/// The mu-law code of a 14-bit sample: G.711 Table 2, with all bits inverted for the line.
constexpr std::uint8_t encode_mu(int sample14) {
  constexpr unsigned kBias = 33;
  constexpr unsigned kLargest = 0x1FFF;
  const bool negative = sample14 < 0;
  unsigned magnitude = static_cast<unsigned>(negative ? ~sample14 : sample14) + kBias;
  if (magnitude > kLargest) magnitude = kLargest;
  const unsigned segment = static_cast<unsigned>(std::bit_width(magnitude)) - 6;
  const unsigned step = (magnitude >> (segment + 1)) & 0xF;
  const unsigned code = (negative ? 0x80U : 0U) | segment << 4 | step;
  return static_cast<std::uint8_t>(code ^ 0xFFU);
}

/// The 16-bit sample of a mu-law code.
constexpr std::int16_t decode_mu(std::uint8_t octet) {
  const unsigned code = octet ^ 0xFFU;
  const unsigned segment = (code >> 4) & 7;
  const unsigned step = code & 0xF;
  const int magnitude = static_cast<int>((2 * step + 33) << segment) - 33;
  return static_cast<std::int16_t>((code & 0x80) != 0 ? -4 * magnitude : 4 * magnitude);
}

/// The A-law code of a 12-bit sample: G.711 Table 1, with the even bits inverted for the line.
constexpr std::uint8_t encode_a(int sample12) {
  const bool negative = sample12 < 0;
  const auto magnitude = static_cast<unsigned>(negative ? ~sample12 : sample12);
  const unsigned width = static_cast<unsigned>(std::bit_width(magnitude));
  const unsigned segment = width > 4 ? width - 4 : 0;
  const unsigned step = segment > 1 ? (magnitude >> (segment - 1)) & 0xF : magnitude & 0xF;
  const unsigned code = (negative ? 0U : 0x80U) | segment << 4 | step;
  return static_cast<std::uint8_t>(code ^ 0x55U);
}

/// The 16-bit sample of an A-law code.
constexpr std::int16_t decode_a(std::uint8_t octet) {
  const unsigned code = octet ^ 0x55U;
  const unsigned segment = (code >> 4) & 7;
  const unsigned step = code & 0xF;
  const unsigned magnitude = segment == 0 ? 2 * step + 1 : (2 * step + 33) << (segment - 1);
  const int value = static_cast<int>(magnitude) * 8;
  return static_cast<std::int16_t>((code & 0x80) != 0 ? value : -value);
}

/// Codes by the upper bits of the sample, taken as unsigned: index (sample + 32768) >> shift.
template <int Shift, std::uint8_t (*Encode)(int)>
constexpr auto make_encode_table() {
  constexpr std::size_t kSize = std::size_t{1} << (16 - Shift);
  std::array<std::uint8_t, kSize> table{};
  const int half = static_cast<int>(table.size() / 2);
  for (int i = 0; i < 2 * half; ++i) table[static_cast<std::size_t>(i)] = Encode(i - half);
  return table;
}

template <typename Sample, std::int16_t (*Decode)(std::uint8_t)>
constexpr auto make_decode_table() {
  std::array<Sample, 256> table{};
  for (unsigned code = 0; code < 256; ++code) {
    const std::int16_t sample = Decode(static_cast<std::uint8_t>(code));
    table[code] = std::is_floating_point_v<Sample> ? static_cast<Sample>(sample) / static_cast<Sample>(32768)
                                                   : static_cast<Sample>(sample);
  }
  return table;
}

}  // namespace vqas::g711
