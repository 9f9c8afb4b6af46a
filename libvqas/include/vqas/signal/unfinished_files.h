#pragma once

#include <filesystem>

namespace vqas {

/// Whether a name is one of those under which write_file_atomically() and write_audio() write before they rename: what
/// has it after a kill is a part of a file, and of no use.
bool is_unfinished_file(const std::filesystem::path& name);

/// Takes away what killed processes left unfinished in `folder` and the folders in it; what a process that still lives
/// is writing stays. Follows no links. What cannot be removed stays without a word: it does no harm.
void remove_unfinished_files(const std::filesystem::path& folder);

}  // namespace vqas
