#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "signal/opened_file.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The bytes of a recording, opened once for all who read it. Its first bytes are kept, as headers are read back and
/// forth in parts of a few bytes. For one thread.
class SoundBytes {
 public:
  /// Fails like InputFile::open().
  static Result<std::unique_ptr<SoundBytes>> open(const std::filesystem::path& path);

  /// Size when it was opened, in bytes.
  std::uint64_t size() const { return size_; }
  /// Up to `count` bytes from `at` on: fewer at the end of the file or on a system error. Returns their number.
  std::size_t read_at(std::uint64_t at, char* to, std::size_t count);
  /// errno of the last read that failed; 0: none has.
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
