#pragma once

#include <optional>
#include <string_view>

#include "vqas/signal/result.h"

namespace vqas {

/// The verdict on a run or a campaign, from the best to the worst.
enum class RunVerdict {
  no_limit,      ///< measured, and the plan has no limit; also of what says nothing of the line
  pass,          ///< measured, and above the limit
  undecided,     ///< measured, but the uncertainty includes the limit
  fail,          ///< measured, and below the limit
  not_measured,  ///< not complete, or a direction is without any score
  cancelled,
  line_lost,
  bad_input,
  in_use,  ///< another process measures into the folder
  io,
  internal,
  unknown_peer,  ///< a node over TLS is unknown, or its certificate has changed
};

/// "no_limit", "pass", "undecided", "fail", "not_measured", "cancelled", "line_lost", "bad_input", "in_use", "io",
/// "internal", "unknown_peer".
std::string_view to_string(RunVerdict verdict);
std::optional<RunVerdict> run_verdict_from_string(std::string_view name);
/// Whether a run was measured to its end with a score in each direction.
constexpr bool was_measured(RunVerdict verdict) {
  return verdict <= RunVerdict::fail;
}

/// The worse of the two.
RunVerdict worse(RunVerdict one, RunVerdict other);
/// The verdict on a run that ended early because of `error`.
RunVerdict verdict_of(const Error& error);

}  // namespace vqas
