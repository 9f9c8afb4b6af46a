#include "terminal/same_build.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "vqas/score/score.h"

namespace vqas::cli {
namespace {

constexpr const char* kVariable = "VQAS_STARTED_BY";

std::string own_build() {
  return fmt::format("{} ({}, {})", VQAS_VERSION, score_version(ScoreMode::narrowband),
                     score_version(ScoreMode::wideband));
}

}  // namespace

bool is_started_by_front() {
  return std::getenv(kVariable) != nullptr;
}

void tell_build() {
  ::setenv(kVariable, own_build().c_str(), 1);
}

Status check_build() {
  const char* const told = std::getenv(kVariable);
  if (told == nullptr) return success();
  const std::string other = told;
  ::unsetenv(kVariable);
  if (other == own_build()) return success();
  return Error{ErrorCode::io,
               fmt::format("the program vqas is of VQAS {} and its full program of VQAS {}: their scores "
                           "may differ; install VQAS as a whole (its package, or cmake --install)",
                           other, own_build())};
}

}  // namespace vqas::cli
