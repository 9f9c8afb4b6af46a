#include "vqas/signal/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <streambuf>
#include <system_error>
#include <utility>

#include "signal/regular_file.h"

namespace vqas {
namespace {

Error bad(const std::filesystem::path& path, const std::string& what, const FileKind& kind) {
  return {ErrorCode::bad_input, fmt::format("{}: {}; {}", path.string(), what, kind.cure)};
}

Error refused(const std::filesystem::path& path) {
  return {ErrorCode::io, fmt::format("{}: cannot be read ({}); check its permissions", path.string(),
                                     std::generic_category().message(errno))};
}

Error too_large(const std::filesystem::path& path, const FileKind& kind) {
  return bad(path, fmt::format("is larger than the {} bytes that a {} can have", kind.most_bytes, kind.what), kind);
}

}  // namespace

Result<RegularFile> open_regular(const std::filesystem::path& path, const FileKind& kind) {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  OpenedFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return bad(path, "there is no such file", kind);
    if (errno == ENXIO || errno == ENODEV) return bad(path, "is a socket or a device, not a file", kind);
    return refused(path);
  }
  struct stat found {};
  if (::fstat(file.number(), &found) != 0) return refused(path);
  if (S_ISDIR(found.st_mode)) return bad(path, "is a folder", kind);
  if (!S_ISREG(found.st_mode)) return bad(path, "is a pipe or a device, not a file", kind);
  const auto size = static_cast<std::uint64_t>(found.st_size);
  if (size > kind.most_bytes) return too_large(path, kind);
  return RegularFile{std::move(file), size};
}

class InputFile::Buffer : public std::streambuf {
 public:
  Buffer(RegularFile opened, std::uint64_t most) : opened_(std::move(opened)), left_(most) {}
  std::uint64_t size() const { return opened_.size; }

 protected:
  int_type underflow() override {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left_, kPart));
    const ssize_t got = opened_.file.read(part_.get(), wanted);
    // The stream turns this exception into bad().
    if (got < 0) throw std::system_error(errno, std::generic_category());
    if (got == 0) return traits_type::eof();
    left_ -= static_cast<std::uint64_t>(got);
    read_to_ += got;
    setg(part_.get(), part_.get(), part_.get() + got);
    return traits_type::to_int_type(part_[0]);
  }
  pos_type seekpos(pos_type place, std::ios_base::openmode) override {
    // Most headers are read back and forth in what is at hand.
    const off_type back = read_to_ - off_type(place);
    if (back >= 0 && back <= egptr() - eback()) {
      setg(eback(), egptr() - back, egptr());
      return place;
    }
    if (::lseek(opened_.file.number(), place, SEEK_SET) < 0) return pos_type(off_type(-1));
    read_to_ = place;
    setg(part_.get(), part_.get(), part_.get());
    return place;
  }

 private:
  const RegularFile opened_;
  std::uint64_t left_;
  off_type read_to_ = 0;  // place in the file of egptr()
  static constexpr std::uint64_t kPart = 1 << 16;
  std::unique_ptr<char[]> part_ = std::make_unique_for_overwrite<char[]>(kPart);
};

InputFile::InputFile(std::unique_ptr<Buffer> buffer) : std::istream(nullptr), buffer_(std::move(buffer)) {
  rdbuf(buffer_.get());
}
InputFile::~InputFile() = default;

std::uint64_t InputFile::size() const {
  return buffer_->size();
}

Result<std::unique_ptr<InputFile>> InputFile::open(const std::filesystem::path& path, const FileKind& kind) {
  auto opened = open_regular(path, kind);
  if (!opened) return opened.error();
  auto buffer = std::make_unique<Buffer>(*std::move(opened), kind.most_bytes);
  return std::unique_ptr<InputFile>(new InputFile(std::move(buffer)));
}

Result<std::string> read_whole_file(const std::filesystem::path& path, const FileKind& kind) {
  const auto opened = open_regular(path, kind);
  if (!opened) return opened.error();
  std::string text;
  text.reserve(opened->size);
  if (!opened->file.read_to_end(text, kind.most_bytes)) return refused(path);
  // The file has grown since it was opened, or the kernel did not report its size.
  if (text.size() > kind.most_bytes) return too_large(path, kind);
  return text;
}

}  // namespace vqas
