#include "vqas/signal/audio_file.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <system_error>

#include "signal/read_channel.h"
#include "signal/sound_file.h"
#include "signal/sound_header.h"
#include "vqas/signal/resample.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

Error bad(const fs::path& path, const std::string& what) {
  return Error{ErrorCode::bad_input, fmt::format("{}: {}", path.string(), what)};
}

SoundLimits limits_of(const AudioReadOptions& options) {
  return {options.max_seconds, kMostSamples};
}

/// Output of libsndfile, in memory; libsndfile seeks back to complete its headers.
struct MemoryFile {
  std::string bytes;
  std::size_t position = 0;
};

SF_VIRTUAL_IO memory_calls() {
  SF_VIRTUAL_IO calls{};
  calls.get_filelen = [](void* user) { return static_cast<sf_count_t>(static_cast<MemoryFile*>(user)->bytes.size()); };
  calls.tell = [](void* user) { return static_cast<sf_count_t>(static_cast<MemoryFile*>(user)->position); };
  calls.seek = [](sf_count_t offset, int whence, void* user) -> sf_count_t {
    auto& memory = *static_cast<MemoryFile*>(user);
    const std::size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory.position : memory.bytes.size();
    const sf_count_t place = static_cast<sf_count_t>(from) + offset;
    if (place < 0) return -1;
    memory.position = static_cast<std::size_t>(place);
    return place;
  };
  calls.read = [](void* data, sf_count_t count, void* user) -> sf_count_t {
    auto& memory = *static_cast<MemoryFile*>(user);
    if (memory.position >= memory.bytes.size()) return 0;
    const std::size_t got =
        memory.bytes.copy(static_cast<char*>(data), static_cast<std::size_t>(count), memory.position);
    memory.position += got;
    return static_cast<sf_count_t>(got);
  };
  calls.write = [](const void* data, sf_count_t count, void* user) -> sf_count_t {
    auto& memory = *static_cast<MemoryFile*>(user);
    const std::size_t end = memory.position + static_cast<std::size_t>(count);
    if (memory.bytes.size() < end) memory.bytes.resize(end);
    memory.bytes.replace(memory.position, static_cast<std::size_t>(count), static_cast<const char*>(data),
                         static_cast<std::size_t>(count));
    memory.position = end;
    return count;
  };
  return calls;
}

}  // namespace

Result<Signal> read_audio(const fs::path& path, const AudioReadOptions& options) {
  if (path.empty()) return Error{ErrorCode::bad_input, "the name of a recording is empty; give the name of a file"};
  std::error_code fault;
  const auto status = fs::status(path, fault);
  if (!fs::exists(status)) return bad(path, "there is no such file; check the name");
  if (fs::is_directory(status)) return bad(path, "is a folder; give a recording");
  // Opening a pipe would wait for a writer, perhaps forever.
  if (!fs::is_regular_file(status))
    return bad(path, "is a pipe or a device, not a file; write the recording to a file and give that");
  if (fs::file_size(path, fault) == 0) return bad(path, "is empty; record or copy it again");
  const auto file = SoundFile::open(path);
  if (!file) return file.error();
  if (auto fits = check_header(path, file->info(), options.channel, limits_of(options)); !fits) return fits.error();
  auto samples = read_channel(path, *file, options.channel, limits_of(options));
  if (!samples) return samples.error();
  Signal signal{*std::move(samples), file->info().samplerate};
  if (options.rate_hz == 0) return signal;
  auto converted = resample(signal, options.rate_hz);
  if (!converted) return bad(path, converted.error().message);
  return converted;
}

std::vector<std::int16_t> to_int16(const Signal& signal) {
  std::vector<std::int16_t> out(signal.size());
  std::transform(signal.samples.begin(), signal.samples.end(), out.begin(), [](float sample) {
    return static_cast<std::int16_t>(std::clamp(std::nearbyint(sample * 32768.0F), -32768.0F, 32767.0F));
  });
  return out;
}

Status write_audio(const fs::path& path, const Signal& signal, AudioFormat format) {
  SF_INFO info{};
  info.samplerate = signal.rate_hz;
  info.channels = 1;
  info.format = (format == AudioFormat::wav16 ? SF_FORMAT_WAV : SF_FORMAT_FLAC) | SF_FORMAT_PCM_16;
  // Encoded in memory first: on a full disk libsndfile reports only an error of its codec.
  MemoryFile memory;
  SF_VIRTUAL_IO calls = memory_calls();
  {
    const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> file(sf_open_virtual(&calls, SFM_WRITE, &info, &memory),
                                                           &sf_close);
    if (!file)
      return Error{ErrorCode::io, fmt::format("{}: cannot be written: {}", path.string(), sf_strerror(nullptr))};
    const auto samples = to_int16(signal);
    const auto count = static_cast<sf_count_t>(samples.size());
    if (sf_writef_short(file.get(), samples.data(), count) != count)
      return Error{ErrorCode::io, fmt::format("{}: cannot be written: {}", path.string(), sf_strerror(file.get()))};
  }
  return write_file_atomically(path, memory.bytes);
}

}  // namespace vqas
