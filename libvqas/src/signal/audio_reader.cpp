#include "vqas/signal/audio_reader.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "signal/read_channel.h"
#include "signal/sound_file.h"
#include "signal/sound_header.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

// Frames read at a time, so that a header with a false length costs no memory.
constexpr std::int64_t kReadFrames = 1 << 15;

Error bad(const std::filesystem::path& path, const std::string& what) {
  return {ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what)};
}

}  // namespace

struct AudioReader::File {
  std::filesystem::path path;
  SoundFile sound;
  int channel = 0;  // counted from 0
};

AudioReader::AudioReader(std::unique_ptr<File> file) : file_(std::move(file)) {}
AudioReader::AudioReader(AudioReader&&) noexcept = default;
AudioReader& AudioReader::operator=(AudioReader&&) noexcept = default;
AudioReader::~AudioReader() = default;

Result<AudioReader> AudioReader::open(const std::filesystem::path& path, int channel) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed))
    return bad(path, "does not exist or is not a file; give a recording");
  auto sound = SoundFile::open(path);
  if (!sound) return sound.error();
  const SF_INFO& info = sound->info();
  if (const Status fits = check_header(path, info, channel, {AudioReadOptions{}.max_seconds}); !fits)
    return fits.error();
  if (info.frames <= 0 || info.frames == SF_COUNT_MAX)
    return bad(path, "holds no samples, or its header does not give their number");
  if (info.seekable == 0) return bad(path, "is not seekable; convert it to WAV");
  return AudioReader(std::make_unique<File>(File{path, *std::move(sound), std::max(0, channel - 1)}));
}

bool needs_other_channel(const std::filesystem::path& path, int channel) {
  return channel != 1 && !AudioReader::open(path, channel) && AudioReader::open(path, 1);
}

double AudioReader::seconds() const {
  return static_cast<double>(file_->sound.info().frames) / file_->sound.info().samplerate;
}

Result<Signal> AudioReader::read_all(Signal space) {
  if (sf_seek(file_->sound.handle(), 0, SEEK_SET) != 0) return bad(file_->path, "cannot be read from its start");
  auto samples = read_channel(file_->path, file_->sound, file_->channel + 1,
                              {AudioReadOptions{}.max_seconds, kMostSamples}, std::move(space.samples));
  if (!samples) return samples.error();
  return Signal{*std::move(samples), file_->sound.info().samplerate};
}

int AudioReader::rate_hz() const {
  return file_->sound.info().samplerate;
}

Result<Signal> AudioReader::read(double start_s, double seconds) {
  const SF_INFO& info = file_->sound.info();
  const auto start = static_cast<std::int64_t>(std::llround(start_s * info.samplerate));
  const auto count = static_cast<std::int64_t>(std::llround(std::max(0.0, seconds) * info.samplerate));
  Signal signal{std::vector<float>(static_cast<std::size_t>(count), 0.0F), info.samplerate};
  const std::int64_t first = std::clamp<std::int64_t>(start, 0, info.frames);
  const std::int64_t last = std::clamp<std::int64_t>(start + count, first, info.frames);
  if (first == last) return signal;
  if (sf_seek(file_->sound.handle(), first, SEEK_SET) != first) {
    return bad(file_->path, fmt::format("cannot be read at {:.1f} s", start_s));
  }
  std::vector<float> frames;
  for (std::int64_t place = first; place < last;) {
    const std::int64_t part = std::min(last - place, kReadFrames);
    frames.resize(static_cast<std::size_t>(part * info.channels));
    if (sf_readf_float(file_->sound.handle(), frames.data(), part) != part) {
      return bad(file_->path, fmt::format("is cut short: samples after {:.1f} s are missing", start_s));
    }
    for (std::int64_t n = 0; n < part; ++n, ++place) {
      const float sample = frames[static_cast<std::size_t>(n * info.channels + file_->channel)];
      if (!std::isfinite(sample)) return bad(file_->path, fmt::format("sample {} is not a finite number", place));
      signal.samples[static_cast<std::size_t>(place - start)] = sample;
    }
  }
  return signal;
}

}  // namespace vqas
