#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "signal/opened_file.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The bytes of a recording, for all who read them. Its first bytes are kept while a header is read, which is done back
/// and forth in parts of a few bytes. For one thread.
class SoundBytes {
 public:
  /// Fails like InputFile::open().
  static Result<std::unique_ptr<SoundBytes>> open(const std::filesystem::path& path);

  /// Size when it was opened, in bytes.
  std::uint64_t size() const { return size_; }
  /// Up to `count` bytes from `at` on: fewer at the end of the file or on a system error. Returns their number.
  std::size_t read_at(std::uint64_t at, char* to, std::size_t count);
  /// From now on all is read from the file, which may change.
  void forget_head() { head_size_ = 0; }
  /// errno of the last read of the file; 0 where it did not fail.
  int fault() const { return fault_; }

 private:
  SoundBytes(OpenedFile file, std::uint64_t size);
  std::size_t read_from_file(std::uint64_t at, char* to, std::size_t count);

  const OpenedFile file_;
  std::uint64_t size_ = 0;
  std::array<char, 1 << 12> head_{};
  std::size_t head_size_ = 0;
  int fault_ = 0;
};

}  // namespace vqas
