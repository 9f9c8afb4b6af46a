#pragma once

#include <filesystem>

namespace vqas {

/// The temporary name beside `target` under which this process writes it, as write_file_atomically() and write_audio()
/// do. After a crash such a file is incomplete and useless.
std::filesystem::path unfinished_name(const std::filesystem::path& target);
bool is_unfinished_file(const std::filesystem::path& name);

/// Opens a file of that name, empty, for writing, and claims it by a lock of the system, which holds until the returned
/// file descriptor is closed. Keep it until the file has its final name. Negative, with errno, when the system refuses.
int open_unfinished_file(const std::filesystem::path& name);

/// Removes the incomplete files that no process claims from `folder` and its subfolders, whichever process or machine
/// wrote them. Follows no links. A file that cannot be removed is harmless and is ignored.
void remove_unfinished_files(const std::filesystem::path& folder);

}  // namespace vqas
