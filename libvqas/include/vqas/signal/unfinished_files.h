#pragma once

#include <filesystem>

namespace vqas {

/// Whether a name is a temporary name of write_file_atomically() or write_audio(). After a crash such a file is
/// incomplete and useless.
bool is_unfinished_file(const std::filesystem::path& name);

/// Removes the incomplete files of dead processes from `folder` and its subfolders; files of running processes stay.
/// Follows no links. A file that cannot be removed is harmless and is ignored.
void remove_unfinished_files(const std::filesystem::path& folder);

}  // namespace vqas
