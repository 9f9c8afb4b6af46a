#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "vqas/score/outcome.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Which recordings are kept.
enum class KeepRecordings { all, failed, none };
/// "all", "failed", "none".
std::string_view to_string(KeepRecordings policy);
std::optional<KeepRecordings> keep_recordings_from_string(std::string_view name);

struct ArchiveOptions {
  KeepRecordings keep = KeepRecordings::all;  ///< failed: those of measurements without a score
  std::uint64_t cap_bytes = 0;                ///< 0: none; beyond it the oldest recordings go
};

/// Recordings in a folder, each under the SHA-256 of its bytes, "ab/abcd….flac": equal ones are kept once, and a file
/// that was changed is noticed. For one thread.
class RecordingArchive {
 public:
  /// Makes the folder. Fails with io when it cannot be written.
  static Result<RecordingArchive> open(const std::filesystem::path& folder, const ArchiveOptions& options);

  /// Takes a copy of `recording`, a file in the folder `run`, of a measurement with `outcome`, on the disk when this
  /// returns; the digest, or an empty one where the policy does not keep it. `added` tells whether it was new. The run
  /// may be somebody else's: only a regular file below its folder is taken, no link is followed, and what cannot be
  /// read as mono audio or has another digest than `promised`, where there is one, is not kept. Fails with bad_input,
  /// naming the file and the reason, or io.
  Result<std::string> take(const std::filesystem::path& run, const std::filesystem::path& recording, Outcome outcome,
                           bool& added, const std::string& promised = {});
  /// The file of a digest, checked against it; bad_input when it is gone or was changed.
  Result<std::filesystem::path> find(const std::string& digest) const;
  /// Bytes in the archive.
  std::uint64_t bytes() const { return bytes_; }
  /// Recordings that had to go because of the cap.
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

/// Fails with io when `folder` (or the nearest folder above it that is there) cannot be written, or has fewer than
/// `bytes` free: to be asked before line time is spent.
Status check_room(const std::filesystem::path& folder, std::uint64_t bytes);

}  // namespace vqas
