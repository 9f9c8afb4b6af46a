#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::store {

/// A file that only grows, each piece on the disk before the next. POSIX. For one thread.
class AppendFile {
 public:
  /// Makes a new file; one that is there already is bad_input.
  static Result<AppendFile> create(const std::filesystem::path& path);
  /// Opens a file to add lines to it, after what others add; makes it when it is not there. A last line that a kill
  /// tore is ended, so that it does not spoil the next one. Waits while another process has it open so.
  static Result<AppendFile> open(const std::filesystem::path& path);
  /// Goes on with the first `length` bytes of a file that is there; what follows them is cut off. Fails with io.
  static Result<AppendFile> reopen(const std::filesystem::path& path, std::int64_t length);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  /// Writes `text` and waits until it is on the disk; on failure (io) the file has its former length, as far as the
  /// system lets it.
  Status append(const std::string& text);

 private:
  AppendFile(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}
  Error failure(const char* what, int code) const;

  int descriptor_ = -1;
  std::int64_t length_ = 0;
  std::filesystem::path path_;
};

}  // namespace vqas::store
