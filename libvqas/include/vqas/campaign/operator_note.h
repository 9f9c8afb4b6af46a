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

}  // namespace vqas
