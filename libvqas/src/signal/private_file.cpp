#include "signal/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace vqas {
namespace {

namespace fs = std::filesystem;

Error cannot_write(const fs::path& path, int number) {
  return {ErrorCode::io, fmt::format("cannot write {}: {}", path.string(), std::generic_category().message(number))};
}

/// A regular file opened for reading, with its permissions; none if there is no such file.
class OpenedFile {
 public:
  explicit OpenedFile(const fs::path& path)
      : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
    regular_ = file_ >= 0 && ::fstat(file_, &status_) == 0 && S_ISREG(status_.st_mode);
  }
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;
  ~OpenedFile() {
    if (file_ >= 0) ::close(file_);
  }
  bool is_regular() const { return regular_; }
  std::optional<Error> fault(const fs::path& path) const {
    return why_not_private(path, status_.st_mode, status_.st_uid, ::geteuid());
  }
  /// At most `most` bytes and one; nothing, with errno, if the system refuses.
  std::optional<std::string> read(std::uint64_t most) const {
    std::string text;
    std::array<char, 4096> part{};
    while (text.size() <= most) {
      const ssize_t got = ::read(file_, part.data(), part.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return std::nullopt;
      if (got == 0) break;
      text.append(part.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  const int file_;
  struct stat status_ {};
  bool regular_ = false;
};

}  // namespace

Status write_private_file(const fs::path& path, const std::string& content) {
  fs::path fresh = path;
  fresh += ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return cannot_write(path, errno);
  const auto failed = [&] {
    const int number = errno;
    ::close(file);
    ::unlink(fresh.c_str());
    return cannot_write(path, number);
  };
  // A file left by a kill may have other permissions.
  if (::fchmod(file, 0600) != 0) return failed();
  for (std::size_t written = 0; written < content.size();) {
    const ssize_t count = ::write(file, content.data() + written, content.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return failed();
    written += static_cast<std::size_t>(count);
  }
  if (::fsync(file) != 0) return failed();
  if (::rename(fresh.c_str(), path.c_str()) != 0) return failed();
  ::close(file);
  return success();
}

std::optional<Error> why_not_private(const fs::path& path, mode_t mode, uid_t owner, uid_t self) {
  constexpr mode_t kOfOthers = S_IRWXG | S_IRWXO;
  constexpr uid_t kRoot = 0;
  if ((mode & kOfOthers) != 0) {
    return Error{
        ErrorCode::bad_input,
        fmt::format(
            "{} holds a secret, but its permissions ({:04o}) let others use it; check who used it, then: chmod 600 {}",
            path.string(), mode & 07777U, path.string())};
  }
  if (owner == self || owner == kRoot || self == kRoot) return std::nullopt;
  return Error{
      ErrorCode::bad_input,
      fmt::format("{} holds a secret, but belongs to another user (uid {}); check who used it, then make a copy of "
                  "your own",
                  path.string(), owner)};
}

Result<std::string> read_private_file(const fs::path& path, const FileKind& kind) {
  const OpenedFile file(path);
  if (file.is_regular()) {
    if (const auto fault = file.fault(path)) return *fault;
    if (auto text = file.read(kind.most_bytes); text && text->size() <= kind.most_bytes) return *std::move(text);
  }
  // It is unreadable or too large; the plain reader has the message for that.
  const auto text = read_whole_file(path, kind);
  if (!text) return text.error();
  return Error{ErrorCode::io, fmt::format("{} was replaced while it was read; try again", path.string())};
}

}  // namespace vqas
