#include "channel/octet_streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <filesystem>
#include <system_error>
#include <utility>

#include "vqas/signal/unfinished_files.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;
static_assert(OctetOutput::kBlock <= PIPE_BUF);

Error is_input(const std::string& out) {
  return {ErrorCode::bad_input,
          fmt::format("{}: is the input; give another name for the output", out == "-" ? "the output" : out)};
}

bool is_same_file(const struct stat& one, const struct stat& other) {
  return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

}  // namespace

Error refused(const std::string& name, const char* what) {
  return {ErrorCode::io, fmt::format("{}: cannot be {}: {}", name == "-" ? "the pipe" : name, what,
                                     std::generic_category().message(errno))};
}

Result<OctetInput> OctetInput::open(const std::string& name) {
  const int descriptor = name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Error{ErrorCode::bad_input, refused(name, "read").message};
  return OctetInput(name, descriptor);
}

OctetInput::~OctetInput() {
  if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

OctetInput::OctetInput(OctetInput&& other) noexcept
    : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

Result<OctetOutput> OctetOutput::open(const std::string& name, const OctetInput& in) {
  struct stat read {};
  if (::fstat(in.descriptor(), &read) != 0) return refused(in.name(), "read");
  struct stat there {};
  if (name == "-") {
    if (::fstat(STDOUT_FILENO, &there) == 0 && is_same_file(read, there)) return is_input(name);
    return OctetOutput(name, STDOUT_FILENO);
  }
  const bool exists = ::stat(name.c_str(), &there) == 0;
  if (exists && is_same_file(read, there)) return is_input(name);
  if (exists && !S_ISREG(there.st_mode)) {
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return refused(name, "written");
    return OctetOutput(name, descriptor);
  }
  // Replaces the file that a link points to, not the link.
  std::error_code fault;
  const fs::path resolved = exists ? fs::canonical(name, fault) : fs::path(name);
  const fs::path target = fault ? fs::path(name) : resolved;
  const std::string part = unfinished_name(target).string();
  if (exists && ::access(name.c_str(), W_OK) != 0) return refused(name, "written");
  const int descriptor = open_unfinished_file(part);
  if (descriptor < 0) return refused(name, "written");
  if (exists) ::fchmod(descriptor, there.st_mode & 07777U);
  OctetOutput output(name, descriptor);
  output.part_ = part;
  output.target_ = target.string();
  return output;
}

OctetOutput::OctetOutput(OctetOutput&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      part_(std::exchange(other.part_, {})),
      target_(std::move(other.target_)) {}

OctetOutput::~OctetOutput() {
  if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
  if (!part_.empty()) ::unlink(part_.c_str());
}

OctetOutput::Written OctetOutput::write(std::span<const std::uint8_t> octets, const Interrupts& interrupts) const {
  while (!octets.empty()) {
    if (!interrupts.wait(descriptor_, POLLOUT)) return Written::interrupted;
    const ssize_t written = ::write(descriptor_, octets.data(), octets.size());
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0) return Written::none;
    octets = octets.subspan(static_cast<std::size_t>(written));
  }
  return Written::all;
}

Status OctetOutput::commit() {
  if (part_.empty()) return success();
  if (::fsync(descriptor_) != 0 || ::rename(part_.c_str(), target_.c_str()) != 0) return refused(name_, "written");
  part_.clear();
  return success();
}

Status check_apart(const std::string& in, const std::string& out) {
  if (in == "-" || out == "-") return success();
  std::error_code fault;
  if (fs::path(in).lexically_normal() == fs::path(out).lexically_normal() || fs::equivalent(in, out, fault)) {
    return is_input(out);
  }
  return success();
}

}  // namespace vqas::cli
