#pragma once

#include "vqas/run/run_verdict.h"

namespace vqas {

/// Exit codes of every program, as README.md documents them. Not an enum class: main() returns them as an int.
enum ExitCode : int {
  kOk = 0,
  kInternal = 1,     ///< a fault of VQAS itself
  kUsage = 2,        ///< the command line cannot be understood
  kBadInput = 3,     ///< a file, option or message is missing, damaged or out of range
  kNotMeasured = 4,  ///< the command worked, but there is no score (the outcome says why)
  kLineLost = 5,     ///< the line, a node or the partner was lost; the measurements until then are kept
  kCancelled = 6,    ///< stopped by the user; the measurements until then are kept
  kIo = 7,           ///< the system refused to read or write
  kUnknownPeer = 8,  ///< a node over TLS is unknown, or its certificate has changed
  kInUse = 9,        ///< another process measures into the folder
  kFailed = 10,      ///< measured, and below the limit
  kUndecided = 11,   ///< measured, but the uncertainty includes the limit
};

/// The exit code of a program whose run or campaign ended with this verdict.
ExitCode exit_code_of(RunVerdict verdict);
/// The exit code of a program that ended because of `error`.
ExitCode exit_code_of(const Error& error);

}  // namespace vqas
