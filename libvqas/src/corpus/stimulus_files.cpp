#include "stimulus_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "manifest.h"
#include "speech_edit.h"
#include "vqas/corpus/digest.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/level.h"
#include "vqas/signal/resample.h"

namespace vqas::stimulus_files {
namespace {

namespace fs = std::filesystem;

// The samples as read back from a 16-bit file.
Signal as_stored(const Signal& signal) {
  const auto stored = to_int16(signal);
  Signal out{std::vector<float>(stored.size()), signal.rate_hz};
  std::transform(stored.begin(), stored.end(), out.samples.begin(),
                 [](std::int16_t sample) { return static_cast<float>(sample) / 32768.0F; });
  return out;
}

Result<Stimulus::File> write_one(const fs::path& folder, const std::string& id, const Signal& signal) {
  const fs::path relative = path_of(id, signal.rate_hz);
  const auto level = measure_speech_level(as_stored(signal).samples, signal.rate_hz);
  if (!level) return level.error();
  std::error_code fault;
  fs::create_directories((folder / relative).parent_path(), fault);
  if (fault) {
    return Error{ErrorCode::io, fmt::format("{}: the folder cannot be created ({})",
                                            (folder / relative).parent_path().string(), fault.message())};
  }
  if (auto done = write_audio(folder / relative, signal, AudioFormat::wav16); !done) return done.error();
  const auto bytes = manifest::read_bytes(folder / relative, manifest::kMostRecordingBytes);
  if (!bytes) return bytes.error();
  return Stimulus::File{relative, sha256_hex(*bytes), signal.seconds(), level->active_level_dbov};
}

}  // namespace

fs::path path_of(const std::string& id, int rate_hz) {
  return fs::path(fmt::format("{}k", rate_hz / 1000)) / (id + ".wav");
}

Status write(const fs::path& folder, const Signal& master, Stimulus& stimulus) {
  auto narrow = resample(master, kLineRateHz);
  if (!narrow) return narrow.error();
  auto at_level = speech_edit::to_nominal_level(*std::move(narrow));
  if (!at_level) return at_level.error();
  auto file = write_one(folder, stimulus.id, *at_level);
  if (!file) return file.error();
  stimulus.files[kLineRateHz] = *std::move(file);
  if (master.rate_hz != kWideRateHz) return success();
  auto wide = write_one(folder, stimulus.id, master);
  if (!wide) return wide.error();
  stimulus.files[kWideRateHz] = *std::move(wide);
  return success();
}

}  // namespace vqas::stimulus_files
