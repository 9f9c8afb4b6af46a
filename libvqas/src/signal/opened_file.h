#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

namespace vqas {

/// A file descriptor that is closed with its owner; negative: the open failed.
class OpenedFile {
 public:
  explicit OpenedFile(int number) : number_(number) {}
  ~OpenedFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenedFile(OpenedFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  OpenedFile& operator=(OpenedFile&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int number() const { return number_; }

  /// Number of bytes read; 0 at the end; negative, with errno, on a system error.
  ssize_t read(char* part, std::size_t most) const {
    ssize_t got = 0;
    do {
      got = ::read(number_, part, most);
    } while (got < 0 && errno == EINTR);
    return got;
  }
  /// Appends the rest of the file to `text`, stopping once `text` is longer than `most_bytes`. False, with errno, on a
  /// system error.
  bool read_to_end(std::string& text, std::uint64_t most_bytes) const {
    std::array<char, 1 << 16> part{};
    for (;;) {
      const ssize_t got = read(part.data(), part.size());
      if (got < 0) return false;
      if (got == 0) return true;
      text.append(part.data(), static_cast<std::size_t>(got));
      if (text.size() > most_bytes) return true;
    }
  }

 private:
  int number_;
};

/// Whether the opened file is still the one at this path: the process that claimed it before may have removed it.
inline bool is_at(int file, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

}  // namespace vqas
