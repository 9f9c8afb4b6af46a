#include "store/journal/append_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace vqas::store {
namespace {

/// A new file survives a power failure only if its folder is synced too.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

Error AppendFile::failure(const char* what, int code) const {
  return {ErrorCode::io, fmt::format("cannot {} {}: {}; check the free space and the permissions", what, path_.string(),
                                     std::generic_category().message(code))};
}

Result<AppendFile> AppendFile::create(const std::filesystem::path& path) {
  AppendFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644), path);
  if (file.descriptor_ >= 0) {
    sync_folder(path.parent_path());
    return file;
  }
  if (errno == EEXIST)
    return Error{
        ErrorCode::bad_input,
        fmt::format("{} holds an earlier run, which is never overwritten; name another folder, or move it away",
                    path.string())};
  return file.failure("make", errno);
}

Result<AppendFile> AppendFile::open(const std::filesystem::path& path) {
  AppendFile file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644), path);
  if (file.descriptor_ < 0) return file.failure("open", errno);
  // A failed append() must only remove its own text.
  while (::flock(file.descriptor_, LOCK_EX) != 0) {
    if (errno != EINTR) return file.failure("lock", errno);
  }
  file.length_ = ::lseek(file.descriptor_, 0, SEEK_END);
  char last = '\n';
  if (file.length_ > 0 && ::pread(file.descriptor_, &last, 1, file.length_ - 1) != 1)
    return file.failure("read", errno);
  if (last == '\n') return file;
  if (const Status ended = file.append("\n"); !ended) return ended.error();
  return file;
}

Result<AppendFile> AppendFile::reopen(const std::filesystem::path& path, std::int64_t length) {
  AppendFile file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC), path);
  if (file.descriptor_ < 0) return file.failure("open", errno);
  if (::ftruncate(file.descriptor_, length) != 0) return file.failure("shorten", errno);
  file.length_ = length;
  return file;
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), length_(other.length_), path_(std::move(other.path_)) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(length_, other.length_);
  std::swap(path_, other.path_);
  return *this;
}

AppendFile::~AppendFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status AppendFile::append(const std::string& text) {
  std::size_t written = 0;
  int fault = 0;
  while (written < text.size() && fault == 0) {
    const ssize_t now = ::write(descriptor_, text.data() + written, text.size() - written);
    if (now >= 0) {
      written += static_cast<std::size_t>(now);
    } else if (errno != EINTR) {
      fault = errno;
    }
  }
  if (fault == 0 && ::fsync(descriptor_) != 0) fault = errno;
  if (fault != 0) {
    if (::ftruncate(descriptor_, length_) != 0) return failure("shorten", fault);
    return failure("write", fault);
  }
  length_ += static_cast<std::int64_t>(text.size());
  return success();
}

}  // namespace vqas::store
