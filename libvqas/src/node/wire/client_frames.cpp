#include "node/wire/client_frames.h"

#include <algorithm>

namespace vqas {
namespace {

constexpr std::uint64_t kMaskBytes = 4;
// The highest bit of a long length is 0 (RFC 6455, 5.2).
constexpr std::uint64_t kLongestPayload = 0x7FFF'FFFF'FFFF'FFFF;

}  // namespace

bool ClientFrames::take(std::string_view bytes) {
  while (masked_ && !bytes.empty()) {
    if (left_ > 0) {
      const auto skipped = std::min<std::uint64_t>(left_, bytes.size());
      left_ -= skipped;
      bytes.remove_prefix(skipped);
      continue;
    }
    head_.at(have_++) = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (have_ < 2) continue;
    masked_ = (head_[1] & 0x80U) != 0;
    const std::uint64_t code = head_[1] & 0x7FU;
    const std::size_t more = code == 126 ? 2 : code == 127 ? 8 : 0;
    if (have_ < 2 + more) continue;
    std::uint64_t length = more == 0 ? code : 0;
    for (std::size_t n = 2; n < have_; ++n) length = length << 8U | head_.at(n);
    left_ = std::min(length, kLongestPayload) + kMaskBytes;
    have_ = 0;
  }
  return masked_;
}

}  // namespace vqas
