#include "channel/loss_pattern.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <fstream>

namespace vqas {
namespace {

constexpr std::uint16_t kArrives = 0x6B21;
constexpr std::uint16_t kLost = 0x6B20;
constexpr std::uint16_t kGoodBit = 0x007F;
constexpr std::uint16_t kBadBit = 0x0081;
constexpr std::uint16_t kMostBits = 16384;
constexpr std::size_t kMostMarks = 10'000'000;

Error fault(const std::filesystem::path& path, const std::string& what) {
  return {ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what)};
}

}  // namespace

Result<std::vector<bool>> read_loss_pattern(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fault(path, "cannot be read; give a file of G.192 frame marks that is there");
  std::vector<bool> lost;
  std::array<char, 2> octets{};
  bool may_be_length = false;
  while (stream.read(octets.data(), 2)) {
    const auto word = static_cast<std::uint16_t>(static_cast<unsigned char>(octets[0]) |
                                                 (static_cast<unsigned char>(octets[1]) << 8U));
    const bool is_mark = word == kArrives || word == kLost;
    if (is_mark) {
      if (lost.size() == kMostMarks) return fault(path, fmt::format("holds more than {} marks; cut it", kMostMarks));
      lost.push_back(word == kLost);
    } else if (lost.empty() || !(word == kGoodBit || word == kBadBit || (may_be_length && word <= kMostBits))) {
      return fault(path,
                   fmt::format("holds the word 0x{:04X}, which is no frame mark of G.192 (0x6B21 or 0x6B20)", word));
    }
    may_be_length = is_mark;
  }
  if (stream.gcount() == 1) return fault(path, "is cut off within a word; record it again");
  if (lost.empty()) return fault(path, "is empty; give at least one frame mark");
  return lost;
}

}  // namespace vqas
