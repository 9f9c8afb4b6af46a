#pragma once

#include "vqas/run/provenance.h"
#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What came of a run or of a campaign, from the best to the worst.
enum class RunVerdict {
  pass,          ///< measured, and not below a limit
  undecided,     ///< measured, and neither above nor below the limit by what is known
  fail,          ///< measured, and below the limit
  not_measured,  ///< complete, and without any score
  cancelled,
  line_lost,
  bad_input,
  io,
  internal,
  unknown_peer,  ///< a node over TLS is not known, or is another one than before
};

/// The later one of the list above.
RunVerdict worse(RunVerdict one, RunVerdict other);
/// Of what ended early because of `error`.
RunVerdict verdict_of(const Error& error);
/// Of a run that is complete: not_measured without any score, else what its limit says.
RunVerdict verdict_of(const RunResults& results, const Provenance& provenance);

}  // namespace vqas
