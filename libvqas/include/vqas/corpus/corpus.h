#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/signal/result.h"
#include "vqas/signal/signal.h"

namespace vqas {

/// One recorded sentence of the corpus, as its manifest describes it.
struct Stimulus {
  std::string id;      ///< "M6": talker's letter and sentence number
  std::string talker;  ///< "M" or "F" in the project's corpus; any word in a user's
  std::string text;
  std::string licence;
  std::string recipe;  ///< how the recording was made
  struct File {
    std::filesystem::path path;  ///< relative to the manifest
    std::string sha256;          ///< of the whole file, lower-case hexadecimal
    double duration_s = 0;
    double active_level_dbov = 0;
  };
  std::map<int, File> files;  ///< by rate in Hz; 8000 is always present
};

/// A set of stimuli that both ends of a line hold. Immutable once loaded; safe to read from several threads.
class Corpus {
 public:
  /// Reads `manifest.json` in `folder` and checks each file against its digest, rate and duration. A file that is
  /// changed, missing or has another rate than listed is bad_input, and so is a manifest that is damaged, larger than 4
  /// MiB, or has paths that lead out of the folder. Re-entrant; reads every file.
  static Result<Corpus> load(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  /// In the order of the manifest.
  const std::vector<Stimulus>& stimuli() const { return stimuli_; }
  /// The stimulus with that id, or null. Valid as long as the corpus.
  const Stimulus* find(const std::string& id) const;
  /// The recording at that rate. Fails with bad_input for an unknown stimulus or rate, or if the file has changed.
  Result<Signal> recording(const std::string& id, int rate_hz = kLineRateHz) const;
  /// SHA-256 over ids and file digests, in the order of the manifest; equal digests mean equal stimuli.
  const std::string& digest() const { return digest_; }

 private:
  std::filesystem::path folder_;
  std::vector<Stimulus> stimuli_;
  std::string digest_;
};

/// State of one file of a corpus.
struct FileCheck {
  std::string id;
  int rate_hz = 0;
  std::filesystem::path path;  ///< relative to the manifest
  /// Measured on the present file; nothing when it could not be read.
  std::optional<double> active_level_dbov;
  /// Highest sample in dBov; a full-scale sample is 0. Nothing when the file could not be read.
  std::optional<double> peak_dbov;
  std::string fault;  ///< empty when the file is correct
};

/// Largest distance of a stimulus from -26 dBov active level that verifying accepts, in dB.
inline constexpr double kLevelToleranceDb = 0.1;

/// Checks every file of a corpus (load() stops at the first fault): digest, rate, duration, active level (against -26
/// dBov and the manifest's figure, both within kLevelToleranceDb) and peak (not above -1 dBov). Fails with bad_input
/// only when the manifest itself cannot be read. Re-entrant.
Result<std::vector<FileCheck>> check_corpus(const std::filesystem::path& folder);

}  // namespace vqas
