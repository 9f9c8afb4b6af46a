#include "vqas/corpus/corpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>

#include "manifest.h"
#include "recording.h"
#include "vqas/corpus/digest.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

// The manifest gives durations to a microsecond; half a sample at 8 kHz is 62 microseconds.
constexpr double kDurationToleranceS = 50e-6;
constexpr double kLongestRecordingS = 60;

Error bad(const fs::path& file, const std::string& what) {
  return Error{ErrorCode::bad_input, fmt::format("{}: {}", file.string(), what)};
}

bool lies_inside(const fs::path& file, const fs::path& folder) {
  std::error_code fault;
  const fs::path inner = fs::weakly_canonical(file, fault);
  const fs::path outer = fs::weakly_canonical(folder, fault);
  return !fault && std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

std::string digest_of(const std::vector<Stimulus>& stimuli) {
  std::string text;
  for (const Stimulus& one : stimuli) {
    text += one.id + "\n";
    for (const auto& [rate, file] : one.files) text += fmt::format("{} {}\n", rate, file.sha256);
  }
  return sha256_hex(text);
}

}  // namespace

Result<Signal> read_recording(const fs::path& folder, const Stimulus::File& file, int rate_hz) {
  const fs::path path = folder / file.path;
  if (!lies_inside(path, folder)) return bad(path, "leads out of the corpus folder; put the recording inside");
  const auto bytes = manifest::read_bytes(path, manifest::kMostRecordingBytes);
  if (!bytes) return bytes.error();
  if (sha256_hex(*bytes) != file.sha256) {
    return bad(path,
               "is not the recording that the manifest describes (its SHA-256 differs); restore it from its "
               "source, or build the corpus again");
  }
  AudioReadOptions options;
  options.max_seconds = kLongestRecordingS;
  auto signal = read_audio(path, options);
  if (!signal) return signal.error();
  if (signal->rate_hz != rate_hz) {
    return bad(path, fmt::format("is sampled at {} Hz, in the manifest {}; build or import it again", signal->rate_hz,
                                 rate_hz));
  }
  if (std::abs(signal->seconds() - file.duration_s) > kDurationToleranceS) {
    return bad(path, fmt::format("lasts {:.6f} s, in the manifest {:.6f}; build or import it again", signal->seconds(),
                                 file.duration_s));
  }
  return signal;
}

Result<Corpus> Corpus::load(const fs::path& folder) {
  auto stimuli = manifest::read(folder);
  if (!stimuli) return stimuli.error();
  for (const Stimulus& one : *stimuli) {
    for (const auto& [rate, file] : one.files) {
      if (const auto signal = read_recording(folder, file, rate); !signal) return signal.error();
    }
  }
  Corpus corpus;
  corpus.folder_ = folder;
  corpus.digest_ = digest_of(*stimuli);
  corpus.stimuli_ = *std::move(stimuli);
  return corpus;
}

const Stimulus* Corpus::find(const std::string& id) const {
  const auto found = std::find_if(stimuli_.begin(), stimuli_.end(), [&](const auto& one) { return one.id == id; });
  return found == stimuli_.end() ? nullptr : &*found;
}

Result<Signal> Corpus::recording(const std::string& id, int rate_hz) const {
  const Stimulus* one = find(id);
  if (one == nullptr) {
    return bad(folder_, fmt::format("has no stimulus {}; vqas corpus list shows its stimuli", id));
  }
  const auto file = one->files.find(rate_hz);
  if (file == one->files.end()) {
    return bad(folder_,
               fmt::format("has no recording of {} at {} Hz; ask for {} Hz", id, rate_hz, one->files.begin()->first));
  }
  return read_recording(folder_, file->second, rate_hz);
}

}  // namespace vqas
