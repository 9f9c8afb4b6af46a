#include "vqas/store/recording_archive.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "signal/read_beneath.h"
#include "signal/words.h"
#include "store/journal/recording_file.h"
#include "vqas/corpus/digest.h"
#include "vqas/signal/audio_file.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr Words<KeepRecordings, 3> kPolicies{
    {{"all", KeepRecordings::all}, {"failed", KeepRecordings::failed}, {"none", KeepRecordings::none}}};

using store::kLargestRecording;
constexpr double kLongest_s = 3600;

}  // namespace

std::string_view to_string(KeepRecordings policy) {
  return word_of(kPolicies, policy);
}

std::optional<KeepRecordings> keep_recordings_from_string(std::string_view name) {
  return value_of(kPolicies, name);
}

Result<RecordingArchive> RecordingArchive::open(const fs::path& folder, const ArchiveOptions& options) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    return Error{ErrorCode::io, fmt::format("cannot make the folder {}: {}", folder.string(), failed.message())};
  if (const Status room = check_room(folder, 0); !room) return room.error();
  remove_unfinished_files(folder);
  RecordingArchive archive(folder, options);
  for (const auto& entry : fs::recursive_directory_iterator(folder, failed)) {
    if (entry.is_regular_file(failed)) archive.bytes_ += entry.file_size(failed);
  }
  return archive;
}

fs::path RecordingArchive::path_of(const std::string& digest) const {
  return folder_ / digest.substr(0, 2) / (digest + ".flac");
}

Result<std::string> RecordingArchive::take(const fs::path& run, const fs::path& recording, Outcome outcome, bool& added,
                                           const std::string& promised) {
  added = false;
  const bool kept =
      options_.keep == KeepRecordings::all || (options_.keep == KeepRecordings::failed && outcome != Outcome::scored);
  if (!kept) return std::string();
  const auto bytes = read_beneath(run, recording, kLargestRecording);
  if (!bytes) return bytes.error();
  const std::string digest = sha256_hex(*bytes);
  if (!promised.empty() && digest != promised) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("{} is not what the run received: its digest differs from the journal; restore it from a copy",
                    (run / recording).string())};
  }
  std::error_code failed;
  if (fs::exists(path_of(digest), failed)) return digest;
  fs::create_directories(path_of(digest).parent_path(), failed);
  if (const Status written = write_file_atomically(path_of(digest), *bytes); !written) return written.error();
  // Reads the copy, which no other program changes.
  if (const auto audio = read_audio(path_of(digest), {.channel = 0, .rate_hz = 0, .max_seconds = kLongest_s}); !audio) {
    fs::remove(path_of(digest), failed);
    return Error{ErrorCode::bad_input, fmt::format("{} is not a recording of a line", (run / recording).string())};
  }
  added = true;
  bytes_ += static_cast<std::uint64_t>(bytes->size());
  if (const Status room = make_room(); !room) return room.error();
  return digest;
}

Status RecordingArchive::make_room() {
  if (options_.cap_bytes == 0 || bytes_ <= options_.cap_bytes) return success();
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code failed;
  for (const auto& entry : fs::recursive_directory_iterator(folder_, failed)) {
    if (entry.is_regular_file(failed)) files.emplace_back(entry.last_write_time(failed), entry.path());
  }
  std::ranges::sort(files);
  for (const auto& [unused, path] : files) {
    if (bytes_ <= options_.cap_bytes) break;
    const std::uintmax_t size = fs::file_size(path, failed);
    fs::remove(path, failed);
    if (failed)
      return Error{ErrorCode::io,
                   fmt::format("cannot remove {}: {}; check its permissions", path.string(), failed.message())};
    bytes_ -= std::min<std::uint64_t>(bytes_, size);
    ++removed_;
  }
  return success();
}

Result<fs::path> RecordingArchive::find(const std::string& digest) const {
  if (!is_hex_digest(digest)) return Error{ErrorCode::bad_input, "the recording was not kept"};
  const auto bytes = read_whole_file(path_of(digest), {"recording", kLargestRecording, "restore it from a copy"});
  if (!bytes) return bytes.error();
  if (sha256_hex(*bytes) != digest)
    return Error{ErrorCode::bad_input,
                 fmt::format("{} is not what was archived; restore it from a copy", path_of(digest).string())};
  return path_of(digest);
}

Status check_room(const fs::path& folder, std::uint64_t bytes) {
  std::error_code failed;
  fs::path there = fs::absolute(folder, failed);
  while (!fs::exists(there, failed) && there.has_parent_path() && there != there.parent_path())
    there = there.parent_path();
  if (::access(there.c_str(), W_OK | X_OK) != 0)
    return Error{ErrorCode::io, fmt::format("cannot write to {}: {}; name another folder", there.string(),
                                            std::generic_category().message(errno))};
  const fs::space_info space = fs::space(there, failed);
  if (failed)
    return Error{ErrorCode::io, fmt::format("cannot read the free space of {}: {}", there.string(), failed.message())};
  if (space.available >= bytes) return success();
  return Error{ErrorCode::io,
               fmt::format("{} has {} MB free, and {} MB may be needed; make room or name another folder",
                           there.string(), space.available / 1'000'000, bytes / 1'000'000)};
}

}  // namespace vqas
