#pragma once

#include <filesystem>
#include <vector>

#include "vqas/run/run.h"
#include "vqas/signal/result.h"

namespace vqas {

inline constexpr const char* kNotesFile = "notes.jsonl";

/// Adds an operator's note to the run in `folder` as one line of JSON in notes.jsonl; it is on the disk when this
/// returns. A running measurement reads the file, and its sampler adds measurements where something sounds different.
/// Safe during a measurement and from several processes. Fails with bad_input when the note names no measurement or is
/// longer than 4096 bytes, io when the system refuses. The caller checks that the measurement exists.
Status append_note(const std::filesystem::path& folder, const OperatorNote& note);

/// The notes of the run in `folder`, oldest first; none if there is no such file. Torn or damaged lines are left out.
/// Re-entrant.
std::vector<OperatorNote> read_notes(const std::filesystem::path& folder);

}  // namespace vqas
