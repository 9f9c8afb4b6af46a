// Recordings: any bytes as a file. What was read is finite and bounded, and the reader of pieces agrees.
#include <algorithm>
#include <cmath>

#include "fuzz.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/audio_reader.h"

using namespace vqas;

namespace {

constexpr double kPiece_s = 0.5;
// Compressed silence becomes many samples; more of them shows nothing new.
constexpr std::size_t kMostCopied = 1 << 16;

bool all_finite(const Signal& signal) {
  return std::ranges::all_of(signal.samples, [](float sample) { return std::isfinite(sample); });
}

void check_reader(const std::filesystem::path& file, int channel) {
  auto reader = AudioReader::open(file, channel);
  if (!reader) return;
  fuzz::require(reader->seconds() > 0, "an open recording holds samples");
  for (const double start : {-0.25, 0.0, reader->seconds() / 2, reader->seconds() - 0.25, reader->seconds() + 1}) {
    const auto piece = reader->read(start, kPiece_s);
    if (!piece) continue;
    fuzz::require(piece->size() == static_cast<std::size_t>(std::llround(kPiece_s * piece->rate_hz)),
                  "a piece has the length that was asked for");
    fuzz::require(all_finite(*piece), "a piece is finite");
  }
}

}  // namespace

// libsndfile 1.2.0 does not free the decoder of an Ogg file whose headers are damaged: 12 kB for each.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libvorbis\nleak:libogg\nleak:libsndfile\n";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const int channel = input.byte() % 4;
  const auto file = fuzz::folder().put("in.wav", fuzz::text_of(input.rest()));
  check_reader(file, channel);
  const auto signal = read_audio(file, {.channel = channel});
  if (!signal) return 0;
  fuzz::require(signal->size() > 0 && all_finite(*signal), "a recording holds samples, all finite");
  if (signal->size() > kMostCopied) return 0;
  const auto copy = fuzz::folder().path() / "copy.flac";
  if (!write_audio(copy, *signal, AudioFormat::flac16)) return 0;  // a rate that FLAC does not have
  const auto again = read_audio(copy);
  fuzz::require(static_cast<bool>(again), "what was written can be read");
  fuzz::require(to_int16(*again) == to_int16(*signal), "what was written reads as the same samples");
  return 0;
}
