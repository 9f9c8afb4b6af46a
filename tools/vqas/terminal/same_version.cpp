#include "terminal/same_version.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "vqas/score/score.h"

namespace vqas::cli {
namespace {

constexpr const char* kVariable = "VQAS_STARTED_BY";

std::string own_version() {
  return fmt::format("{} ({}, {})", VQAS_VERSION, score_version(ScoreMode::narrowband),
                     score_version(ScoreMode::wideband));
}

}  // namespace

bool is_started_by_front() {
  const char* const told = std::getenv(kVariable);
  return told != nullptr && told == own_version();
}

void tell_version() {
  ::setenv(kVariable, own_version().c_str(), 1);
}

Status check_version() {
  const char* const told = std::getenv(kVariable);
  if (told == nullptr) return success();
  const std::string other = told;
  ::unsetenv(kVariable);
  if (other.empty() || other == own_version()) return success();
  return Error{ErrorCode::io,
               fmt::format("the program vqas is of VQAS {} and its full program of VQAS {}: their scores may "
                           "differ; {}, and see that the environment has no VQAS_STARTED_BY",
                           other, own_version(), kInstallWhole)};
}

}  // namespace vqas::cli
