#include "vqas/run/exit_codes.h"

namespace vqas {

ExitCode exit_code_of(RunVerdict verdict) {
  switch (verdict) {
    case RunVerdict::no_limit:
    case RunVerdict::pass:
      return kOk;
    case RunVerdict::undecided:
      return kUndecided;
    case RunVerdict::fail:
      return kFailed;
    case RunVerdict::not_measured:
      return kNotMeasured;
    case RunVerdict::cancelled:
      return kCancelled;
    case RunVerdict::line_lost:
      return kLineLost;
    case RunVerdict::bad_input:
      return kBadInput;
    case RunVerdict::in_use:
      return kInUse;
    case RunVerdict::io:
      return kIo;
    case RunVerdict::unknown_peer:
      return kUnknownPeer;
    case RunVerdict::internal:
      break;
  }
  return kInternal;
}

ExitCode exit_code_of(const Error& error) {
  return exit_code_of(verdict_of(error));
}

}  // namespace vqas
