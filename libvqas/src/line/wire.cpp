#include "line/wire.h"

#include <algorithm>
#include <cstring>

namespace vqas::wire {

std::vector<std::byte> block_frame(Header header, std::span<const float> samples) {
  header.payload = block_bytes(samples.size());
  std::vector<std::byte> frame(sizeof header + header.payload);
  std::memcpy(frame.data(), &header, sizeof header);
  std::ranges::copy(std::as_bytes(samples), frame.begin() + sizeof header);
  return frame;
}

std::string text_frame(Kind kind, const std::string& text) {
  Header header;
  header.kind = kind;
  header.payload = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), kLongestText));
  std::string frame(sizeof header, '\0');
  std::memcpy(frame.data(), &header, sizeof header);
  return frame.append(text, 0, header.payload);
}

}  // namespace vqas::wire
