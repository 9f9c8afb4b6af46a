#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <limits>
#include <memory>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// What a file is for, in the words of the messages about it, and how large it can be.
struct FileKind {
  const char* what = "file";                     ///< "profile"
  std::uint64_t most_bytes = 0;                  ///< a larger file is refused before it is read
  const char* cure = "give the name of a file";  ///< what to do about one that cannot be read
};

/// For files that are read part by part, however large they are.
inline constexpr std::uint64_t kAnySize = std::numeric_limits<std::uint64_t>::max();

/// A regular file, opened for reading part by part: every file that VQAS reads is opened here, but for recordings,
/// which libsndfile opens (read_audio()). What is opened is looked at, not the name: a pipe or a device is refused at
/// once, where a plain open would wait for its writer for ever, or read without an end. At most `most_bytes` are read,
/// also of a file that grows meanwhile; bad() is set where the system refuses. For one thread.
class InputFile : public std::istream {
 public:
  /// Fails with bad_input, naming the file and the cure, when it is missing, a folder, a pipe or a device, or too
  /// large; with io when the system refuses. Never quotes what the file holds.
  static Result<std::unique_ptr<InputFile>> open(const std::filesystem::path& path, const FileKind& kind);
  ~InputFile() override;
  /// When it was opened, in bytes; 0 for the kernel's own files, whatever they hold.
  std::uint64_t size() const;

 private:
  class Buffer;
  explicit InputFile(std::unique_ptr<Buffer> buffer);
  std::unique_ptr<Buffer> buffer_;
};

/// The whole of a regular file; fails as InputFile::open(). Re-entrant.
Result<std::string> read_whole_file(const std::filesystem::path& path, const FileKind& kind);

}  // namespace vqas
