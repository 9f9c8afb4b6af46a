#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "vqas/line/line.h"

namespace vqas::wire {

// Numbers are sent in memory order; protocol.md specifies little-endian.
static_assert(std::endian::native == std::endian::little);

inline constexpr std::uint32_t kMagic = 0x4C535156;  // "VQSL"
inline constexpr std::uint32_t kVersion = 2;
/// Longest text in a frame (conditions, or why a line is refused), in bytes.
inline constexpr std::uint32_t kLongestText = 131072;  // conditions that include a profile

enum class Kind : std::uint32_t {
  hello = 1,      ///< end -> line: version in `index`, end in `round`
  exchange = 2,   ///< end -> line: a block; `time_ns`: the silence that ends a transmission, or 0
  withdraw = 3,   ///< end -> line: withdraw the waiting block
  welcome = 4,    ///< line -> end: text follows: its conditions
  heard = 5,      ///< line -> end: a block
  standing = 6,   ///< line -> end: nothing taken, the clock stands still
  withdrawn = 7,  ///< line -> end: taken back
  refused = 8,    ///< line -> end: text follows: the reason; then the line closes
};

/// Before each payload.
struct Header {
  std::uint32_t magic = kMagic;
  Kind kind = Kind::hello;
  std::uint64_t index = 0;
  std::uint64_t round = 0;
  std::int64_t time_ns = 0;
  std::uint32_t busy = 0;
  std::uint32_t payload = 0;  ///< bytes that follow
};
static_assert(sizeof(Header) == 40 && std::is_trivially_copyable_v<Header>);

/// A header with a block of samples, written and read in one piece.
struct BlockFrame {
  Header header;
  std::array<float, kLineBlock> samples{};
};
static_assert(sizeof(BlockFrame) == 40 + 4 * kLineBlock);

inline constexpr std::uint32_t kBlockBytes = 4 * kLineBlock;

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&value, 1));
}

/// Header and text in one piece.
std::string text_frame(Kind kind, const std::string& text);

}  // namespace vqas::wire
