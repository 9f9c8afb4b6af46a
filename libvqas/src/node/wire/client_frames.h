#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vqas {

/// Watches the bytes that a WebSocket client sends, from the first frame on, for a frame without a mask. RFC 6455,
/// section 5.1, requires a server to close such a connection; Qt's server accepts these frames. A value; the result
/// does not depend on how the stream is cut.
class ClientFrames {
 public:
  /// Takes the next bytes; false from the first unmasked frame on.
  bool take(std::string_view bytes);
  /// Number of following bytes that belong to the current frame and need not be passed to take().
  std::uint64_t payload_left() const { return left_; }
  /// Skips `count` bytes, at most payload_left().
  void skip(std::uint64_t count) { left_ -= count; }

 private:
  // Two bytes, then at most eight of length (section 5.2). The mask counts as payload.
  std::array<unsigned char, 10> head_{};
  std::size_t have_ = 0;
  std::uint64_t left_ = 0;
  bool masked_ = true;
};

}  // namespace vqas
