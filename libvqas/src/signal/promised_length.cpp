#include "signal/promised_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace vqas {
namespace {

// Limit on the chunks before the sound: with more it is not a header.
constexpr int kMostChunks = 10000;
constexpr std::uint64_t kAllOnes32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kAllOnes64 = std::numeric_limits<std::uint64_t>::max();
// ffmpeg, libavformat/wavenc.c, for Wave64 into a pipe.
constexpr std::uint64_t kLargestSigned64 = std::numeric_limits<std::int64_t>::max();
// Lengths that streaming programs write in place of an unknown one: SoX into a pipe (sox/src/wav.c, sox/src/aiff.c) and
// arecord until it ends (aplay.c, max_filesize). Some are rounded down to whole frames or include what the format
// counts with the sound.
constexpr std::uint64_t kStreamed[] = {0x7FFFF000, 0x7F000000, 0x80000000};
constexpr std::uint64_t kBeside = 512;  // frames, and a header's other chunks
// A chunk ends on an even byte; some programs omit the padding at the end of a file.
constexpr std::uint64_t kPadding = 1;
constexpr std::string_view kOgg = "OggS";
// First bytes of a MIDI sample dump (MIDI 1.0, System Exclusive, non-real time).
constexpr std::string_view kSampleDump = "\xF0\x7E";

/// Where the sound starts, and its length as declared in the header.
struct Claim {
  std::uint64_t begin = 0, length = 0;
};

class Header {
 public:
  explicit Header(SoundBytes& bytes) : bytes_(bytes) {}

  void set_big_endian(bool big) { big_endian_ = big; }

  std::string text(std::uint64_t at, std::size_t count) {
    std::string text(count, '\0');
    text.resize(bytes_.read_at(at, text.data(), count));
    return text;
  }
  std::optional<std::uint64_t> number(std::uint64_t at, std::size_t bytes) {
    const std::string read = text(at, bytes);
    if (read.size() != bytes) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t n = 0; n < bytes; ++n)
      value = value << 8 | static_cast<unsigned char>(read[big_endian_ ? n : bytes - 1 - n]);
    return value;
  }

 private:
  SoundBytes& bytes_;
  bool big_endian_ = false;
};

bool is_unknown(std::uint64_t length) {
  return length == kAllOnes32 || length == kAllOnes64 || length == kLargestSigned64 - 24;
}

/// `whole` is the declared length of the file. A streaming program does not know that either, so a length beside a
/// correct `whole` is a true one.
bool is_placeholder(std::uint64_t length, std::uint64_t whole) {
  if (is_unknown(length)) return true;
  const bool is_streamed = std::ranges::any_of(
      kStreamed, [&](std::uint64_t one) { return length > one - kBeside && length < one + kBeside; });
  return is_streamed && whole >= length && whole - length < kBeside;
}

/// RIFF and AIFF: a name of four bytes and a length of four bytes.
std::optional<Claim> find_chunk(Header& header, std::string_view wanted, std::uint64_t file_bytes) {
  std::optional<std::uint64_t> length64;  // from RF64
  std::uint64_t at = 12;
  for (int n = 0; n < kMostChunks && at + 8 <= file_bytes; ++n) {
    const std::string name = header.text(at, 4);
    const auto length = header.number(at + 4, 4);
    if (!length) return std::nullopt;
    if (name == "ds64") length64 = header.number(at + 16, 8);
    if (name == wanted) return Claim{at + 8, *length == kAllOnes32 && length64 ? *length64 : *length};
    at += 8 + *length + *length % 2;
  }
  return std::nullopt;
}

/// Sony Wave64: a GUID and a length of eight bytes that includes both, in multiples of eight.
std::optional<Claim> find_wave64_data(Header& header, std::uint64_t file_bytes) {
  std::uint64_t at = 40;
  for (int n = 0; n < kMostChunks && at + 24 <= file_bytes; ++n) {
    const std::string name = header.text(at, 4);
    const auto length = header.number(at + 16, 8);
    if (!length || *length < 24 || *length > kAllOnes64 - at - 8) {
      return name == "data" && length ? std::optional(Claim{at + 24, *length}) : std::nullopt;
    }
    if (name == "data") return Claim{at + 24, *length - 24};
    at += (*length + 7) / 8 * 8;
  }
  return std::nullopt;
}

std::optional<Claim> claim_of(Header& header, std::uint64_t file_bytes) {
  const std::string magic = header.text(0, 4);
  if (magic == "RIFF" || magic == "RF64" || magic == "BW64") return find_chunk(header, "data", file_bytes);
  if (magic == "riff") return find_wave64_data(header, file_bytes);
  header.set_big_endian(true);
  if (magic == "RIFX") return find_chunk(header, "data", file_bytes);
  if (magic == "FORM") return find_chunk(header, "SSND", file_bytes);
  header.set_big_endian(magic == ".snd");
  if (magic != ".snd" && magic != "dns.") return std::nullopt;
  const auto begin = header.number(4, 4), length = header.number(8, 4);
  return begin && length ? std::optional(Claim{*begin, *length}) : std::nullopt;
}

/// Whether the pages of an Ogg file (RFC 3533, section 6) lead to one that ends its stream and is whole. Bytes behind
/// the last page are ignored.
bool ends_its_stream(Header& header, std::uint64_t file_bytes) {
  constexpr std::uint64_t kPageHeader = 27;
  constexpr unsigned char kLastOfStream = 4;
  bool is_last = false;
  std::uint64_t at = 0;
  while (header.text(at, kOgg.size()) == kOgg) {
    const std::string page = header.text(at, kPageHeader);
    if (page.size() < kPageHeader) return false;
    const auto segments = static_cast<unsigned char>(page[kPageHeader - 1]);
    const std::string lengths = header.text(at + kPageHeader, segments);
    at += kPageHeader + segments;
    for (const char length : lengths) at += static_cast<unsigned char>(length);
    if (at > file_bytes) return false;
    is_last = (static_cast<unsigned char>(page[5]) & kLastOfStream) != 0;
  }
  return is_last;
}

}  // namespace

Status check_promised_length(const std::filesystem::path& path, SoundBytes& bytes) {
  const std::uint64_t present = bytes.size();
  Header header(bytes);
  // libsndfile 1.2.0 writes what is damaged in one to standard output, where our own results go.
  if (header.text(0, kSampleDump.size()) == kSampleDump)
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: is a MIDI sample dump, which is not read; convert it to WAV", path.string())};
  const auto cut_short = [&path](std::uint64_t promised, const char* what, std::uint64_t there) {
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: is cut short: its header promises {} bytes{}, {} are there; copy it again, or "
                             "export it again",
                             path.string(), promised, what, there)};
  };
  if (header.text(0, kOgg.size()) == kOgg && !ends_its_stream(header, present))
    return Error{
        ErrorCode::bad_input,
        fmt::format("{}: is cut short: the last page of the Ogg stream is missing; copy it again, or export it "
                    "again (ffmpeg -i {} whole.wav keeps what is there)",
                    path.string(), path.filename().string())};
  const auto claim = claim_of(header, present);
  const std::uint64_t whole = header.number(4, 4).value_or(0);
  if (claim && is_placeholder(claim->length, whole)) return success();
  // Chunks after the sound may be truncated, too.
  if (header.text(0, 4) == "RIFF" && whole + 8 < kAllOnes32 && whole + 8 > present + kPadding)
    return cut_short(whole + 8, "", present);
  if (!claim) return success();
  const std::uint64_t there = present - std::min(present, claim->begin);
  if (claim->length == 0 && there > kPadding)
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: its header declares no sound, but {} bytes follow: the program that wrote it "
                             "was stopped before it completed the header; repair it (sox --ignore-length)",
                             path.string(), there)};
  if (claim->length <= there + kPadding) return success();
  return cut_short(claim->length, " of sound", there);
}

}  // namespace vqas
