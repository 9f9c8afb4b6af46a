#include "signal/sound_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

// Limit on the chunks before the format: with more it is not a header.
constexpr int kMostChunks = 100;
constexpr unsigned kExtensible = 0xFFFE;   // the format follows in a GUID
constexpr std::size_t kExtensibleAt = 24;  // its place in the chunk

struct Codec {
  unsigned format = 0;
  std::string_view name;
};
// RFC 2361 and FFmpeg's libavformat/riff.c.
constexpr Codec kCodecs[] = {{0x0020, "Yamaha's ADPCM"},
                             {0x0022, "TrueSpeech"},
                             {0x0042, "G.723.1"},
                             {0x0045, "G.726"},
                             {0x0050, "MPEG layer 2"},
                             {0x0055, "MP3"},
                             {0x0057, "AMR"},
                             {0x0058, "AMR wideband"},
                             {0x0064, "G.726"},
                             {0x0065, "G.722"},
                             {0x0083, "G.729"},
                             {0x00FF, "AAC"},
                             {0x0133, "G.729"},
                             {0x0134, "G.729"},
                             {0x0160, "Windows Media Audio"},
                             {0x0161, "Windows Media Audio"},
                             {0x0162, "Windows Media Audio"},
                             {0x0163, "Windows Media Audio"},
                             {0x028F, "G.722"},
                             {0x1600, "AAC"},
                             {0x566F, "Vorbis"},
                             {0x704F, "Opus"},
                             {0xA106, "AAC"},
                             {0xA109, "Speex"},
                             {0xF1AC, "FLAC"}};
// What libsndfile reads: where such a file is not opened, its header is damaged.
constexpr unsigned kRead[] = {0x0001, 0x0002, 0x0003, 0x0006, 0x0007, 0x0011, 0x0031, 0x0038, 0x0040};

struct Container {
  std::size_t at = 0;
  std::string_view bytes, name;
};
constexpr Container kContainers[] = {{0, "#!AMR", "an AMR file"},
                                     {0, "\x1A\x45\xDF\xA3", "a Matroska or WebM file"},
                                     {0, "\x30\x26\xB2\x75", "a Windows Media file"},
                                     {4, "ftyp", "an MP4 file"}};

std::string read_at(InputFile& file, std::uint64_t at, std::size_t count) {
  std::string bytes(count, '\0');
  file.clear();
  file.seekg(std::streampos(static_cast<std::streamoff>(at)));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

/// `count` bytes of `text`, the lowest first; 0 where they are not there.
std::uint64_t number_in(std::string_view text, std::size_t at, std::size_t count) {
  if (text.size() < at + count) return 0;
  std::uint64_t value = 0;
  for (std::size_t n = count; n > 0; --n) value = value << 8 | static_cast<unsigned char>(text[at + n - 1]);
  return value;
}

/// The number of a WAV file's codec; 0: it is not told.
unsigned wav_format(InputFile& file) {
  std::uint64_t at = 12;
  for (int n = 0; n < kMostChunks && at + 8 <= file.size(); ++n) {
    const std::string head = read_at(file, at, 8);
    const std::uint64_t length = number_in(head, 4, 4);
    if (head.starts_with("fmt ")) {
      const std::string format = read_at(file, at + 8, std::min<std::size_t>(length, 40));
      const std::uint64_t plain = number_in(format, 0, 2);
      return static_cast<unsigned>(plain == kExtensible ? number_in(format, kExtensibleAt, 2) : plain);
    }
    at += 8 + length + length % 2;
  }
  return 0;
}

}  // namespace

std::string unread_kind(const std::filesystem::path& path) {
  const auto opened = InputFile::open(path, {"recording", kAnySize, "give a recording"});
  if (!opened) return "";
  InputFile& file = **opened;
  const std::string start = read_at(file, 0, 12);
  for (const Container& one : kContainers)
    if (std::string_view(start).substr(std::min(one.at, start.size())).starts_with(one.bytes))
      return std::string(one.name);
  const bool is_wav = (start.starts_with("RIFF") || start.starts_with("RF64")) && start.ends_with("WAVE");
  if (!is_wav) return "";
  const unsigned format = wav_format(file);
  if (format == 0 || std::ranges::find(kRead, format) != std::end(kRead)) return "";
  const auto* const codec = std::ranges::find(kCodecs, format, &Codec::format);
  return fmt::format("a WAV file with {} (format 0x{:04X})",
                     codec != std::end(kCodecs) ? codec->name : "a codec that is not known", format);
}

Error cannot_open(const std::filesystem::path& path, const std::string& fault) {
  const std::string kind = unread_kind(path);
  if (kind.empty()) {
    return {ErrorCode::bad_input, fmt::format("{}: cannot be read as a recording: {} Give a WAV, FLAC or other file "
                                              "that libsndfile can read",
                                              path.string(), fault)};
  }
  return {ErrorCode::bad_input, fmt::format("{0}: is {1}, which is not read; convert it to PCM "
                                            "(ffmpeg -i \"{0}\" -c:a pcm_s16le converted.wav) and give that",
                                            path.string(), kind)};
}

}  // namespace vqas
