#include "vqas/channel/error_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <istream>
#include <string>

#include "channel/g192.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

using g192::append_word;
using g192::fault;
using g192::kBadBit;
using g192::kGoodBit;
using g192::kGoodFrame;
using g192::kLostFrame;

constexpr std::uint64_t kFrameBits = 160;
// More than a day at a bit error ratio of 1e-2. They take 512 MiB of memory, 64 times the size of a file of ones.
constexpr std::uint64_t kMostErrors = 64ULL << 20;

// Reads successive words of G.192.
class WordReader {
 public:
  explicit WordReader(std::istream& stream) : stream_(stream) {}

  // False at the end; a file truncated within a word sets odd().
  bool next(std::uint16_t& word) {
    std::array<char, 2> octets{};
    stream_.read(octets.data(), 2);
    if (stream_.gcount() == 1) odd_ = true;
    if (stream_.gcount() < 2) return false;
    word = g192::word_of(octets[0], octets[1]);
    ++count_;
    return true;
  }
  std::uint64_t count() const { return count_; }
  bool odd() const { return odd_; }

 private:
  std::istream& stream_;
  std::uint64_t count_ = 0;
  bool odd_ = false;
};

Result<ErrorPattern> read_g192(std::istream& stream, const std::filesystem::path& path) {
  ErrorPattern pattern;
  WordReader words(stream);
  std::uint16_t word = 0;
  std::uint64_t frame_left = 0;
  while (words.next(word)) {
    const bool is_mark = word == kGoodFrame || word == kLostFrame;
    if (frame_left == 0 && is_mark) {
      std::uint16_t length = 0;
      if (!words.next(length)) return fault(path, "ends in the header of a frame; it is truncated, record it again");
      frame_left = length;
      continue;
    }
    if (word != kGoodBit && word != kBadBit) {
      return fault(path,
                   fmt::format("word {} is 0x{:04X}, which is not a bit of G.192 (0x007F or 0x0081); give an error "
                               "pattern of 16-bit little-endian words",
                               words.count(), word));
    }
    if (word == kBadBit) pattern.places.push_back(pattern.bits);
    ++pattern.bits;
    if (frame_left > 0) --frame_left;
  }
  if (words.odd() || frame_left > 0) return fault(path, "is truncated within a frame or word; record it again");
  return pattern;
}

// Calls `take` with each octet of the rest of the stream.
template <typename Take>
void every_octet(std::istream& stream, Take&& take) {
  std::array<char, 65536> part{};
  while (stream.read(part.data(), part.size()) || stream.gcount() > 0) {
    for (std::streamsize i = 0; i < stream.gcount(); ++i) {
      take(static_cast<std::uint8_t>(part[static_cast<std::size_t>(i)]));
    }
  }
}

Result<ErrorPattern> read_bits(std::istream& stream) {
  ErrorPattern pattern;
  every_octet(stream, [&pattern](std::uint8_t left) {
    while (left != 0) {
      const int first = std::countl_zero(left);
      pattern.places.push_back(pattern.bits + static_cast<std::uint64_t>(first));
      left = static_cast<std::uint8_t>(left & ~(0x80U >> static_cast<unsigned>(first)));
    }
    pattern.bits += 8;
  });
  return pattern;
}

// Counts the wrong bits, before memory is taken for them.
std::uint64_t count_errors(std::istream& stream, PatternFormat format) {
  std::uint64_t count = 0;
  if (format == PatternFormat::bits) {
    every_octet(stream, [&count](std::uint8_t octet) { count += static_cast<std::uint64_t>(std::popcount(octet)); });
  } else {
    WordReader words(stream);
    for (std::uint16_t word = 0; words.next(word);) count += word == kBadBit ? 1 : 0;
  }
  stream.clear(stream.rdstate() & std::ios::badbit);
  stream.seekg(0);
  return count;
}

std::string as_g192(const ErrorPattern& pattern) {
  std::string text;
  text.reserve(2 * (pattern.bits + 2 * (pattern.bits / kFrameBits + 1)));
  auto next = pattern.places.begin();
  for (std::uint64_t bit = 0; bit < pattern.bits; ++bit) {
    if (bit % kFrameBits == 0) {
      append_word(kGoodFrame, text);
      append_word(static_cast<std::uint16_t>(std::min(kFrameBits, pattern.bits - bit)), text);
    }
    const bool bad = next != pattern.places.end() && *next == bit;
    append_word(bad ? kBadBit : kGoodBit, text);
    if (bad) ++next;
  }
  return text;
}

std::string as_bits(const ErrorPattern& pattern) {
  std::string text((pattern.bits + 7) / 8, '\0');
  for (const std::uint64_t place : pattern.places) {
    char& octet = text[place / 8];
    octet = static_cast<char>(static_cast<unsigned char>(octet) | (0x80U >> (place % 8)));
  }
  return text;
}

}  // namespace

Result<PatternFormat> pattern_format(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".g192") return PatternFormat::g192;
  if (extension == ".bits") return PatternFormat::bits;
  return fault(path, "the name ends neither in .g192 nor in .bits; rename the error pattern by its format");
}

Result<ErrorPattern> read_error_pattern(const std::filesystem::path& path) {
  const auto format = pattern_format(path);
  if (!format) return format.error();
  const std::uint64_t most = *format == PatternFormat::g192 ? 3 * kLongestPatternBits : kLongestPatternBits / 8;
  const auto file =
      InputFile::open(path, {"pattern of a day of G.711", most, "give an existing error pattern that is not longer"});
  if (!file) return file.error();
  std::istream& stream = **file;
  if ((*file)->size() == 0) return fault(path, "is empty; give an error pattern of at least one bit");
  if (count_errors(stream, *format) > kMostErrors) {
    return fault(
        path, fmt::format("holds more than {} wrong bits; check that it is an error pattern, or cut it", kMostErrors));
  }
  auto pattern = *format == PatternFormat::g192 ? read_g192(stream, path) : read_bits(stream);
  if (stream.bad()) return Error{ErrorCode::io, path.string() + ": cannot be read to its end; check its disk"};
  if (pattern && pattern->bits == 0) return fault(path, "holds no bits; give an error pattern of at least one");
  return pattern;
}

Status write_error_pattern(const std::filesystem::path& path, const ErrorPattern& pattern) {
  const auto format = pattern_format(path);
  if (!format) return format.error();
  return write_file_atomically(path, *format == PatternFormat::g192 ? as_g192(pattern) : as_bits(pattern));
}

}  // namespace vqas
