#include "signal/sound_bytes.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "signal/regular_file.h"

namespace vqas {

Result<std::unique_ptr<SoundBytes>> SoundBytes::open(const std::filesystem::path& path) {
  auto opened = open_regular(path, {"recording", kAnySize, "give a recording"});
  if (!opened) return opened.error();
  return std::unique_ptr<SoundBytes>(new SoundBytes(std::move(opened->file), opened->size));
}

SoundBytes::SoundBytes(OpenedFile file, std::uint64_t size) : file_(std::move(file)), size_(size) {
  head_size_ = read_from_file(0, head_.data(), head_.size());
}

std::size_t SoundBytes::read_at(std::uint64_t at, char* to, std::size_t count) {
  std::size_t got = 0;
  if (at < head_size_) {
    got = std::min<std::size_t>(count, head_size_ - at);
    std::copy_n(head_.data() + at, got, to);
  }
  return got == count ? got : got + read_from_file(at + got, to + got, count - got);
}

std::size_t SoundBytes::read_from_file(std::uint64_t at, char* to, std::size_t count) {
  std::size_t filled = 0;
  fault_ = 0;
  while (filled < count) {
    const ssize_t got = ::pread(file_.number(), to + filled, count - filled, static_cast<off_t>(at + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fault_ = errno;
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

}  // namespace vqas
