#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

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

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::as_bytes(std::span(&value, 1));
}

/// Bytes of a block's samples.
constexpr std::uint32_t block_bytes(std::size_t samples) {
  return static_cast<std::uint32_t>(sizeof(float) * samples);
}

/// A header, whose payload this sets, and a block of samples: written in one piece.
std::vector<std::byte> block_frame(Header header, std::span<const float> samples);

/// Header and text in one piece.
std::string text_frame(Kind kind, const std::string& text);

}  // namespace vqas::wire
