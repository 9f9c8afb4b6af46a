#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "vqas/score/outcome.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Which recordings are archived.
enum class KeepRecordings { all, failed, none };
/// "all", "failed", "none".
std::string_view to_string(KeepRecordings policy);
std::optional<KeepRecordings> keep_recordings_from_string(std::string_view name);

struct ArchiveOptions {
  KeepRecordings keep = KeepRecordings::all;  ///< failed: those of measurements without a score
  std::uint64_t cap_bytes = 0;                ///< 0: no cap; beyond it the oldest recordings are removed
};

/// Recordings in a folder, each named by the SHA-256 of its bytes, "ab/abcd….flac": equal ones are stored once, and a
/// changed file is detected. For one thread.
class RecordingArchive {
 public:
  /// Creates the folder. Fails with io if it cannot be written.
  static Result<RecordingArchive> open(const std::filesystem::path& folder, const ArchiveOptions& options);

  /// Copies `recording`, a file in the folder `run`, of a measurement with `outcome`; it is on the disk when this
  /// returns. Returns the digest, or an empty one if the policy does not keep it; `added` tells whether it was new. The
  /// run may come from elsewhere: only a regular file below its folder is taken, no link is followed, and a file that
  /// is not mono audio or does not have the digest `promised`, if given, is refused. Fails with bad_input, naming the
  /// file and the reason, or io.
  Result<std::string> take(const std::filesystem::path& run, const std::filesystem::path& recording, Outcome outcome,
                           bool& added, const std::string& promised = {});
  /// The file with this digest, checked; bad_input if it is missing or was changed.
  Result<std::filesystem::path> find(const std::string& digest) const;
  /// Bytes in the archive.
  std::uint64_t bytes() const { return bytes_; }
  /// Recordings that were removed because of the cap.
  std::size_t removed() const { return removed_; }

 private:
  RecordingArchive(std::filesystem::path folder, const ArchiveOptions& options)
      : folder_(std::move(folder)), options_(options) {}
  std::filesystem::path path_of(const std::string& digest) const;
  Status make_room();

  std::filesystem::path folder_;
  ArchiveOptions options_;
  std::uint64_t bytes_ = 0;
  std::size_t removed_ = 0;
};

/// Fails with io if `folder` (or its nearest existing parent) cannot be written, or has less than `bytes` free. Check
/// this before line time is spent.
Status check_room(const std::filesystem::path& folder, std::uint64_t bytes);

}  // namespace vqas
