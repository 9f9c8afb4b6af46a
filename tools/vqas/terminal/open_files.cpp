#include "terminal/open_files.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

// If the system cannot list them, only the three standard streams are taken to be open.
std::size_t count_open() {
  std::error_code fault;
  const fs::directory_iterator listed("/proc/self/fd", fault);
  if (fault) return 3;
  return static_cast<std::size_t>(std::distance(fs::begin(listed), fs::end(listed)));
}

}  // namespace

Status allow_open_files(std::size_t needed) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return success();
  const auto least = static_cast<rlim_t>(count_open() + needed);
  constexpr rlim_t kUsual = 1024;  // a node divides its limit among its connections
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = std::max(before, std::min(std::max(least, kUsual), limit.rlim_max));
  if (limit.rlim_cur > before && ::setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  if (limit.rlim_cur >= least) return success();
  return Error{ErrorCode::io, fmt::format("only {} files may be open at the same time here, and this command needs up "
                                          "to {}; raise the limit: ulimit -n 1024",
                                          before, least)};
}

}  // namespace vqas::cli
