#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "vqas/signal/result.h"

namespace vqas::store {

/// A file that only grows; each piece is on the disk before the next. POSIX. For one thread.
class AppendFile {
 public:
  /// Creates a new file; fails with bad_input if it exists.
  static Result<AppendFile> create(const std::filesystem::path& path);
  /// Opens a file to add lines after those of other writers; creates it if missing. Ends a torn last line, so that it
  /// does not spoil the next one. Waits while another process has opened it this way.
  static Result<AppendFile> open(const std::filesystem::path& path);
  /// Continues after the first `length` bytes of an existing file and cuts off the rest. Fails with io.
  static Result<AppendFile> reopen(const std::filesystem::path& path, std::int64_t length);
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;
  ~AppendFile();

  /// Writes `text` and waits until it is on the disk. On failure (io) the file has its former length, as far as the
  /// system allows.
  Status append(const std::string& text);

 private:
  AppendFile(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}
  Error failure(const char* what, int code) const;

  int descriptor_ = -1;
  std::int64_t length_ = 0;
  std::filesystem::path path_;
};

}  // namespace vqas::store
