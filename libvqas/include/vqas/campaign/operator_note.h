#pragma once

#include <filesystem>
#include <string>

#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Writes an operator's note on a measurement of the run in `folder`, during the run or later, and into the report if
/// there is one. `direction` is "a-to-b" or "b-to-a"; empty: the only direction with a measurement of this number. It
/// gives the note's ends. Returns what follows from the note in words without a full stop, such as "the run measures
/// more of M1"; empty: nothing. Fails with bad_input when there is no run with a journal, when it has no such
/// measurement or two of them, or as append_note() and renew_report() do.
Result<std::string> write_note(const std::filesystem::path& folder, OperatorNote note,
                               const std::string& direction = {});

/// A request to stop the run in the folder: a file that is empty, and gone when the request was taken.
inline constexpr const char* kStopFile = "stop.request";

/// Asks the program that measures into `folder` to stop, as its own user would with one interrupt: what is in flight is
/// finished, and everything is kept. Needs the right to write to the folder. Fails with bad_input when no program
/// measures there, or a listener does, which takes no requests; or with io. Re-entrant.
Status request_stop(const std::filesystem::path& folder);

/// For the program that measures: whether it was asked to stop; takes the request.
bool take_stop_request(const std::filesystem::path& folder);

}  // namespace vqas
