#include "front/full_program.h"

#include <fmt/format.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "terminal/same_version.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

// Relative to the folder of this program.
constexpr std::array kPlaces{VQAS_FULL_INSTALLED, VQAS_FULL_BUILT};

// Where it really is: a symbolic link to it may be anywhere. Without /proc the kernel still tells how it was called.
fs::path own_file() {
  std::error_code fault;
  const fs::path file = fs::read_symlink("/proc/self/exe", fault);
  if (!fault) return file;
  const auto* const called = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  return called == nullptr ? fs::path() : fs::canonical(called, fault);
}

}  // namespace

Error become_full_program(char** argv) {
  const fs::path folder = own_file().parent_path();
  if (is_started_by_front()) {
    return {ErrorCode::io, fmt::format("{} has the place of the full program, and is the one that only scores: {}",
                                       own_file().string(), kInstallWhole)};
  }
  tell_version();
  fs::path program;
  int fault = ENOENT;
  for (std::size_t n = 0; n < kPlaces.size() && (fault == ENOENT || fault == ENOTDIR); ++n) {
    const fs::path place = (folder / kPlaces[n]).lexically_normal();
    ::execv(place.c_str(), argv);
    fault = errno;
    // Where nothing is at all, it is the first that should be there.
    if (program.empty() || (fault != ENOENT && fault != ENOTDIR)) program = place;
  }
  return {ErrorCode::io, fmt::format("cannot start the full program {}: {}; by itself the file vqas can only score, "
                                     "without pictures: {}, or copy the full program to that place too",
                                     program.string(), std::generic_category().message(fault), kInstallWhole)};
}

}  // namespace vqas::cli
