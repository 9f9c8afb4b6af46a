#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "signal/opened_file.h"
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

void sync_folder(const fs::path& path) {
  const OpenedFile folder(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (folder.number() >= 0) ::fsync(folder.number());
}

constexpr std::string_view kUnfinished = ".part";

// Removes the file only while it is claimed here: its writer cannot be working on it.
void remove_if_unclaimed(const fs::path& path) {
  const OpenedFile file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat there {};
  if (file.number() < 0 || ::fstat(file.number(), &there) != 0 || !S_ISREG(there.st_mode)) return;
  if (::flock(file.number(), LOCK_EX | LOCK_NB) == 0 && is_at(file.number(), path)) ::unlink(path.c_str());
}

}  // namespace

fs::path unfinished_name(const fs::path& target) {
  return target.parent_path() / fmt::format(".{}.{}{}", target.filename().string(), ::getpid(), kUnfinished);
}

bool is_unfinished_file(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with('.') || !name.ends_with(kUnfinished)) return false;
  const std::string_view stem(name.data(), name.size() - kUnfinished.size());
  const std::size_t dot = stem.rfind('.');
  pid_t process = 0;
  const char* const end = stem.data() + stem.size();
  const auto [read_to, fault] = std::from_chars(stem.data() + dot + 1, end, process);
  return dot > 0 && fault == std::errc() && read_to == end && process > 0;
}

int open_unfinished_file(const fs::path& name) {
  for (;;) {
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) return file;
    int locked = 0;
    do {
      locked = ::flock(file, LOCK_EX);
    } while (locked != 0 && errno == EINTR);
    // Where the file system knows no locks, nothing can claim the file, so nothing removes it either.
    if (locked != 0 || is_at(file, name)) return file;
    ::close(file);
  }
}

void remove_unfinished_files(const fs::path& folder) {
  std::error_code fault;
  std::vector<fs::path> found;
  for (fs::recursive_directory_iterator entry(folder, fault), end; !fault && entry != end; entry.increment(fault)) {
    if (is_unfinished_file(entry->path())) found.push_back(entry->path());
  }
  for (const fs::path& one : found) remove_if_unclaimed(one);
}

Status write_file_atomically(const fs::path& path, const std::string& content) {
  const auto target = target_of(path);
  if (!target) return target.error();
  const fs::path part = unfinished_name(target->path);
  const OpenedFile file(open_unfinished_file(part));
  if (file.number() < 0) return io_error(path, "cannot be written");
  const auto failed = [&](const char* what) {
    auto error = io_error(path, what);
    ::unlink(part.c_str());
    return error;
  };
  if (target->rights) ::fchmod(file.number(), *target->rights);
  std::size_t done = 0;
  while (done < content.size()) {
    const auto wrote = ::write(file.number(), content.data() + done, content.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return failed("cannot be written");
    done += static_cast<std::size_t>(wrote);
  }
  // A network file system may report a full disk only here.
  if (::fsync(file.number()) != 0) return failed("cannot be flushed to disk");
  if (::rename(part.c_str(), target->path.c_str()) != 0) return failed("cannot be written");
  sync_folder(folder_of(target->path));
  return success();
}

}  // namespace vqas
