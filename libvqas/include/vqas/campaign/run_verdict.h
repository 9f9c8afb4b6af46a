#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "vqas/run/provenance.h"
#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The verdict on a run or a campaign, from the best to the worst.
enum class RunVerdict {
  pass,          ///< measured, and not below a limit
  undecided,     ///< measured, but the uncertainty includes the limit
  fail,          ///< measured, and below the limit
  not_measured,  ///< complete, and a direction is without any score
  cancelled,
  line_lost,
  bad_input,
  in_use,  ///< another process measures into the folder
  io,
  internal,
  unknown_peer,  ///< a node over TLS is unknown, or its certificate has changed
};

/// "pass", "undecided", "fail", "not_measured", "cancelled", "line_lost", "bad_input", "in_use", "io",
/// "internal", "unknown_peer".
std::string_view to_string(RunVerdict verdict);
std::optional<RunVerdict> run_verdict_from_string(std::string_view name);
/// Whether a run was measured to its end with a score in each direction.
constexpr bool was_measured(RunVerdict verdict) {
  return verdict == RunVerdict::pass || verdict == RunVerdict::undecided || verdict == RunVerdict::fail;
}

/// The worse of the two.
RunVerdict worse(RunVerdict one, RunVerdict other);
/// The verdict on a run that ended early because of `error`.
RunVerdict verdict_of(const Error& error);
/// The same where `error` refused a start in `folder`, which this process does not hold: in_use if another one does.
RunVerdict verdict_of_start(const Error& error, const std::filesystem::path& folder);
/// The verdict on a complete run, by its worst direction: not_measured if one has no score, else by the limit.
RunVerdict verdict_of(const RunResults& results, const Provenance& provenance);

}  // namespace vqas
