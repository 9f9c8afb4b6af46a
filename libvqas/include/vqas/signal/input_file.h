#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <limits>
#include <memory>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// Purpose of a file, in the words of messages about it, and its largest permitted size.
struct FileKind {
  const char* what = "file";                     ///< "profile"
  std::uint64_t most_bytes = 0;                  ///< a larger file is refused before it is read
  const char* cure = "give the name of a file";  ///< remedy when it cannot be read
};

/// For files that are read in parts, whatever their size.
inline constexpr std::uint64_t kAnySize = std::numeric_limits<std::uint64_t>::max();

/// A regular file, opened for reading in parts. Every file that VQAS reads is opened here, except recordings, which are
/// checked alike; all but WAV libsndfile opens again. The opened file is checked, not its name: a pipe or a device is
/// refused immediately, where a plain open could wait forever for a writer or read without end. At most `most_bytes`
/// are read, even if the file grows meanwhile. bad() is set on a system error. For one thread.
class InputFile : public std::istream {
 public:
  /// Fails with bad_input, naming the file and the remedy, when it is missing, a folder, a pipe, a device or too large;
  /// with io on a system error. The message never quotes the file's content.
  static Result<std::unique_ptr<InputFile>> open(const std::filesystem::path& path, const FileKind& kind);
  ~InputFile() override;
  /// Size when it was opened, in bytes; 0 for files of /proc and the like, whatever they hold.
  std::uint64_t size() const;

 private:
  class Buffer;
  explicit InputFile(std::unique_ptr<Buffer> buffer);
  std::unique_ptr<Buffer> buffer_;
};

/// The content of a whole regular file; fails like InputFile::open(). Re-entrant.
Result<std::string> read_whole_file(const std::filesystem::path& path, const FileKind& kind);

}  // namespace vqas
