#include "channel/loss_pattern.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <istream>

#include "channel/g192.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

using g192::fault;

constexpr std::uint16_t kMostBits = 16384;
constexpr std::size_t kMostMarks = 10'000'000;

}  // namespace

Result<std::vector<bool>> read_loss_pattern(const std::filesystem::path& path) {
  const auto file = InputFile::open(path, {"loss pattern", kAnySize, "give an existing file of G.192 frame marks"});
  if (!file) return file.error();
  std::istream& stream = **file;
  std::vector<bool> lost;
  std::array<char, 2> octets{};
  bool may_be_length = false;
  while (stream.read(octets.data(), 2)) {
    const std::uint16_t word = g192::word_of(octets[0], octets[1]);
    const bool is_mark = word == g192::kGoodFrame || word == g192::kLostFrame;
    if (is_mark) {
      if (lost.size() == kMostMarks) return fault(path, fmt::format("holds more than {} marks; cut it", kMostMarks));
      lost.push_back(word == g192::kLostFrame);
    } else if (lost.empty() ||
               !(word == g192::kGoodBit || word == g192::kBadBit || (may_be_length && word <= kMostBits))) {
      return fault(path,
                   fmt::format("holds the word 0x{:04X}, which is not a frame mark of G.192 (0x6B21 or 0x6B20)", word));
    }
    may_be_length = is_mark;
  }
  if (stream.bad()) return Error{ErrorCode::io, path.string() + ": cannot be read to its end; check its disk"};
  if (stream.gcount() == 1) return fault(path, "is truncated within a word; record it again");
  if (lost.empty()) return fault(path, "is empty; give at least one frame mark");
  return lost;
}

}  // namespace vqas
