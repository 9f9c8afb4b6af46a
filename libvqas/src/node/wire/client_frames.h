#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vqas {

/// Reads along in what a client of a WebSocket sends, from the first frame on, and finds a frame that is not masked.
/// RFC 6455, section 5.1, demands that a server ends such a connection; Qt's server takes these frames. A value; any
/// cut of the stream gives the same.
class ClientFrames {
 public:
  /// The next bytes; false from the first unmasked frame on.
  bool take(std::string_view bytes);
  /// How many of the next bytes belong to the frame that was begun, so that they need not be shown.
  std::uint64_t payload_left() const { return left_; }
  /// Goes on by `count` bytes, at most payload_left().
  void skip(std::uint64_t count) { left_ -= count; }

 private:
  // Two bytes, and the length in eight more at most (section 5.2). The mask counts as payload.
  std::array<unsigned char, 10> head_{};
  std::size_t have_ = 0;
  std::uint64_t left_ = 0;
  bool masked_ = true;
};

}  // namespace vqas
