#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "vqas/signal/audio_file.h"
#include "vqas/signal/unfinished_files.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  return path.parent_path().empty() ? fs::path(".") : path.parent_path();
}

Error io_error(const fs::path& path, const std::string& what) {
  const int fault = errno;
  const bool full = fault == ENOSPC || fault == EDQUOT;
  return Error{ErrorCode::io,
               fmt::format("{}: {} ({}){}", path.string(), what, std::generic_category().message(fault),
                           full ? "; free space on the disk of " + folder_of(path).string() + ", then try again" : "")};
}

/// Where the content goes.
struct Target {
  fs::path path;                 ///< with all links resolved
  std::optional<mode_t> rights;  ///< of the existing file
};

// The new file replaces what has that name, so that must be a regular file: not a link to one, a pipe or a device.
Result<Target> target_of(fs::path path) {
  const fs::path named = path;
  const auto bad = [&named](const char* what) {
    return Error{ErrorCode::bad_input, fmt::format("{}: {}", named.string(), what)};
  };
  constexpr int kMostLinks = 40;  // the same limit as the system's
  std::error_code fault;
  for (int links = 0; fs::is_symlink(path, fault); ++links) {
    const fs::path next = fs::read_symlink(path, fault);
    if (fault || links == kMostLinks) return bad("is a broken link; give another name");
    path = path.parent_path() / next;
  }
  struct stat there {};
  if (::stat(path.c_str(), &there) != 0) return Target{path, {}};
  if (S_ISDIR(there.st_mode)) return bad("is a folder; give the name of a file");
  if (!S_ISREG(there.st_mode)) return bad("is a pipe or a device, which no file can replace; give another name");
  return Target{path, there.st_mode & 07777U};
}

// Syncs a file or a folder to disk.
bool sync_path(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool synced = ::fsync(file) == 0;
  ::close(file);
  return synced;
}

constexpr std::string_view kUnfinished = ".part";

fs::path beside(const fs::path& path) {
  return path.parent_path() / fmt::format(".{}.{}{}", path.filename().string(), ::getpid(), kUnfinished);
}

// The process that writes a file of such a name (beside()); 0 for any other name.
pid_t writer_of(const std::string& name) {
  if (!name.starts_with('.') || !name.ends_with(kUnfinished)) return 0;
  const std::string_view stem(name.data(), name.size() - kUnfinished.size());
  const std::size_t dot = stem.rfind('.');
  pid_t process = 0;
  const char* const end = stem.data() + stem.size();
  const auto [read_to, fault] = std::from_chars(stem.data() + dot + 1, end, process);
  return dot > 0 && fault == std::errc() && read_to == end && process > 0 ? process : 0;
}

Status put_in_place(const fs::path& part, const fs::path& path) {
  std::error_code fault;
  if (!sync_path(part)) {
    auto error = io_error(path, "cannot be flushed to disk");
    fs::remove(part, fault);
    return error;
  }
  fs::rename(part, path, fault);
  if (fault) {
    const Error error{ErrorCode::io, fmt::format("{}: cannot be written ({})", path.string(), fault.message())};
    fs::remove(part, fault);
    return error;
  }
  sync_path(folder_of(path));
  return success();
}

}  // namespace

bool is_unfinished_file(const fs::path& name) {
  return writer_of(name.filename().string()) != 0;
}

void remove_unfinished_files(const fs::path& folder) {
  std::error_code fault;
  std::vector<fs::path> found;
  for (fs::recursive_directory_iterator entry(folder, fault), end; !fault && entry != end; entry.increment(fault)) {
    const pid_t writer = writer_of(entry->path().filename().string());
    const bool dead = writer != 0 && ::kill(writer, 0) != 0 && errno == ESRCH;
    std::error_code unknown;
    if (dead && !entry->is_symlink(unknown) && entry->is_regular_file(unknown)) found.push_back(entry->path());
  }
  for (const fs::path& one : found) fs::remove(one, fault);
}

Status write_file_atomically(const fs::path& path, const std::string& content) {
  const auto target = target_of(path);
  if (!target) return target.error();
  const fs::path part = beside(target->path);
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return io_error(path, "cannot be written");
  if (target->rights) ::fchmod(file, *target->rights);
  std::size_t done = 0;
  while (done < content.size()) {
    const auto wrote = ::write(file, content.data() + done, content.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      auto error = io_error(path, "cannot be written");
      ::close(file);
      ::unlink(part.c_str());
      return error;
    }
    done += static_cast<std::size_t>(wrote);
  }
  // A network file system may report a full disk only here.
  if (::close(file) != 0) {
    auto error = io_error(path, "cannot be written");
    ::unlink(part.c_str());
    return error;
  }
  return put_in_place(part, target->path);
}

}  // namespace vqas
