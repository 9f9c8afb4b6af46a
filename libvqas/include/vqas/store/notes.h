#pragma once

#include <filesystem>
#include <vector>

#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

inline constexpr const char* kNotesFile = "notes.jsonl";

/// Adds an operator's note to the run in `folder`, on the disk when this returns: one line of JSON in notes.jsonl,
/// which a run that is still going on reads (its sampler then adds measurements where something sounds different). Safe
/// beside a running measurement and from several processes. Fails with bad_input when the note names no measurement or
/// is longer than 4096 bytes, io when the system refuses. Whether the measurement exists is the caller's to check.
Status append_note(const std::filesystem::path& folder, const OperatorNote& note);

/// The notes of the run in `folder`, oldest first; none when there is no such file. A line that is torn or damaged is
/// left out. Re-entrant.
std::vector<OperatorNote> read_notes(const std::filesystem::path& folder);

}  // namespace vqas
