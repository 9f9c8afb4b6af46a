#include "signal/read_beneath.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "signal/opened_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

Error refused(const fs::path& path, const std::string& why) {
  return {ErrorCode::bad_input, fmt::format("{}: {}", path.string(), why)};
}

Error cannot_open(const fs::path& path, int fault) {
  if (fault == ENOENT) return refused(path, "there is no such file");
  if (fault == ELOOP || fault == ENOTDIR)
    return refused(path, "is a symbolic link or lies behind one; links out of the run's folder are not followed");
  if (fault == ENXIO) return refused(path, "is not a regular file");
  return {ErrorCode::io, fmt::format("cannot read {}: {}", path.string(), std::generic_category().message(fault))};
}

}  // namespace

Result<std::string> read_beneath(const fs::path& folder, const fs::path& name, std::uint64_t most_bytes) {
  const fs::path path = folder / name;
  const bool below = !name.empty() && name.is_relative() && name.has_filename() &&
                     std::ranges::none_of(name, [](const fs::path& part) { return part == ".."; });
  if (!below) return refused(path, "lies outside the run's folder");
  // Each component is opened relative to the folder opened before, so that no one can replace it by a link meanwhile.
  OpenedFile at(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (at.number() < 0) return cannot_open(folder, errno);
  for (const fs::path& part : name.parent_path()) {
    at = OpenedFile(::openat(at.number(), part.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (at.number() < 0) return cannot_open(path, errno);
  }
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const OpenedFile file(::openat(at.number(), name.filename().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) return cannot_open(path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return cannot_open(path, errno);
  if (!S_ISREG(status.st_mode)) return refused(path, "is not a regular file");
  std::string bytes;
  if (!file.read_to_end(bytes, most_bytes)) return cannot_open(path, errno);
  if (bytes.size() > most_bytes) return refused(path, fmt::format("is larger than {} bytes", most_bytes));
  return bytes;
}

}  // namespace vqas
