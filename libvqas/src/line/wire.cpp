#include "line/wire.h"

#include <cstring>

namespace vqas::wire {

std::string text_frame(Kind kind, const std::string& text) {
  Header header;
  header.kind = kind;
  header.payload = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), kLongestText));
  std::string frame(sizeof header, '\0');
  std::memcpy(frame.data(), &header, sizeof header);
  return frame.append(text, 0, header.payload);
}

}  // namespace vqas::wire
