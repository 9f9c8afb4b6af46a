#pragma once

namespace vqas::cli {

/// Exit codes of every command, as README.md documents them.
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
  kFailed = 10,      ///< measured, and below the limit
  kUndecided = 11,   ///< measured, but the uncertainty includes the limit
};

}  // namespace vqas::cli
