#include "vqas/corpus/import.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "manifest.h"
#include "stimulus_files.h"
#include "vqas/signal/audio_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

// A stimulus lasts ten seconds at most. A file much longer was given by mistake, or would fill memory (120 s at 192 kHz
// take 92 MB).
constexpr double kLongestSourceS = 120;
// So that the recipe fits into a manifest with its other words.
constexpr std::size_t kLongestFileName = 200;

// Locks a folder against a second import for its lifetime. flock() ends with the process, so no lock stays behind.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder) : file_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    held_ = file_ >= 0 && ::flock(file_, LOCK_EX | LOCK_NB) == 0;
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (file_ >= 0) ::close(file_);
  }
  bool held() const { return held_; }

 private:
  int file_;
  bool held_ = false;
};

struct Verdict {
  Refusal refusal = Refusal::none;
  std::string reason;
};

Verdict check_words(const ImportRequest& request) {
  const auto bad = [](const std::string& what) { return Verdict{Refusal::bad_name, what}; };
  const char* word = "1 to 32 letters, digits, - or _, the first a letter or digit";
  if (!manifest::is_word(request.id)) return bad(fmt::format("--id must be {}", word));
  if (!manifest::is_word(request.talker)) return bad(fmt::format("--talker must be {}", word));
  if (!manifest::is_line_of_text(request.text)) {
    return bad("--text must be the spoken words: 1 to 500 bytes of UTF-8 on one line");
  }
  if (!manifest::is_line_of_text(request.licence)) return bad("--licence must be 1 to 500 bytes of UTF-8 on one line");
  return {};
}

bool is_taken(const std::vector<Stimulus>& stimuli, const std::string& id) {
  // Some file systems ignore case, and the id names the file.
  const auto lower = [](std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
  };
  return std::any_of(stimuli.begin(), stimuli.end(), [&](const auto& one) { return lower(one.id) == lower(id); });
}

std::string recipe_of(const ImportRequest& request, const ImportFigures& figures) {
  std::string name = request.file.filename().string();
  if (name.size() > kLongestFileName || !manifest::is_line_of_text(name)) name = "a file";
  return fmt::format(
      "imported from {}{}, {} Hz, {:.1f} dBov; high-pass 40 Hz, trimmed, room noise -75 dBov seeded by the id; -26 "
      "dBov "
      "active level (ITU-T P.56)",
      name, request.channel > 0 ? fmt::format(" channel {}", request.channel) : "", figures.source_rate_hz,
      figures.source_level_dbov);
}

// Examines one recording and writes its files; an accepted stimulus is added to `stimuli`.
Result<ImportOutcome> import_one(const fs::path& folder, const ImportRequest& request, std::vector<Stimulus>& stimuli) {
  ImportOutcome outcome{request, Refusal::none, {}, {}};
  const auto refuse = [&](Refusal refusal, const std::string& reason) {
    outcome.refusal = refusal;
    outcome.reason = reason;
    return outcome;
  };
  const auto named = [&](const std::string& reason) { return fmt::format("{}: {}", request.file.string(), reason); };
  if (const auto words = check_words(request); words.refusal != Refusal::none) {
    return refuse(words.refusal, named(words.reason));
  }
  if (is_taken(stimuli, request.id)) {
    return refuse(Refusal::taken,
                  named(fmt::format("the corpus already has a stimulus {}; choose another --id", request.id)));
  }
  std::error_code fault;
  if (fs::exists(request.file, fault) && !fs::is_regular_file(request.file, fault)) {
    return refuse(Refusal::unreadable, named("is not a regular file; give a recording"));
  }
  AudioReadOptions options;
  options.channel = request.channel;
  options.max_seconds = kLongestSourceS;
  const auto recording = read_audio(request.file, options);
  if (!recording) return refuse(Refusal::unreadable, recording.error().message);
  const Examination found = examine_recording(*recording, request.id);
  outcome.figures = found.figures;
  if (found.refusal != Refusal::none) return refuse(found.refusal, named(found.reason));

  Stimulus one{request.id, request.talker, request.text, request.licence, recipe_of(request, found.figures), {}};
  if (auto written = stimulus_files::write(folder, found.master, one); !written) return written.error();
  stimuli.push_back(std::move(one));
  return outcome;
}

void remove_files_since(const fs::path& folder, const std::vector<Stimulus>& stimuli, std::size_t first) {
  for (std::size_t n = first; n < stimuli.size(); ++n) {
    for (const auto& [rate, file] : stimuli[n].files) {
      std::error_code ignored;
      fs::remove(folder / file.path, ignored);
    }
  }
}

Result<std::vector<Stimulus>> present_stimuli(const fs::path& folder) {
  std::error_code fault;
  if (!fs::exists(folder / manifest::kFileName, fault)) return std::vector<Stimulus>{};
  return manifest::read(folder);
}

}  // namespace

Result<std::vector<ImportOutcome>> import_recordings(const fs::path& folder,
                                                     const std::vector<ImportRequest>& requests) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault || !fs::is_directory(folder)) {
    return Error{ErrorCode::io, fmt::format("{}: the corpus folder cannot be created ({}); choose another --into",
                                            folder.string(), fault.message())};
  }
  const FolderLock lock(folder);
  if (!lock.held()) {
    return Error{ErrorCode::io, fmt::format("{}: another import is running in this folder; wait until it has finished",
                                            folder.string())};
  }
  auto stimuli = present_stimuli(folder);
  if (!stimuli) return stimuli.error();
  const std::size_t before = stimuli->size();
  std::vector<ImportOutcome> outcomes;
  for (const ImportRequest& request : requests) {
    auto outcome = import_one(folder, request, *stimuli);
    if (!outcome) {
      remove_files_since(folder, *stimuli, before);
      return outcome.error();
    }
    outcomes.push_back(*std::move(outcome));
  }
  if (stimuli->size() == before) return outcomes;
  if (auto written = manifest::write(folder, *stimuli); !written) {
    remove_files_since(folder, *stimuli, before);
    return written.error();
  }
  return outcomes;
}

const char* name_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::none:
      return "none";
    case Refusal::unreadable:
      return "unreadable";
    case Refusal::bad_name:
      return "bad_name";
    case Refusal::taken:
      return "taken";
    case Refusal::rate_too_low:
      return "rate_too_low";
    case Refusal::silent:
      return "silent";
    case Refusal::too_quiet:
      return "too_quiet";
    case Refusal::no_speech:
      return "no_speech";
    case Refusal::clipped:
      return "clipped";
    case Refusal::noisy:
      return "noisy";
    case Refusal::narrow:
      return "narrow";
    case Refusal::cut_off:
      return "cut_off";
    case Refusal::too_short:
      return "too_short";
    case Refusal::too_long:
      return "too_long";
    case Refusal::too_peaky:
      return "too_peaky";
  }
  return "unknown";
}

}  // namespace vqas
