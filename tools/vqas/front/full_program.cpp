#include "front/full_program.h"

#include <fmt/format.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

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
  std::string told;
  for (const char* const place : kPlaces) {
    const fs::path program = (folder / place).lexically_normal();
    ::execv(program.c_str(), argv);
    const int fault = errno;
    // What is there and does not start explains more than what is not there.
    if (told.empty() || fault != ENOENT) {
      told =
          fmt::format("cannot start the full program {}: {}", program.string(), std::generic_category().message(fault));
    }
  }
  return {ErrorCode::io, told +
                             "; by itself the file vqas can only score, without pictures: install VQAS as a whole "
                             "(its package, or cmake --install), or copy the full program to that place too"};
}

}  // namespace vqas::cli
