#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "vqas/signal/input_file.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Writes a file that only its owner can read, completely or not at all. Fails with io.
Status write_private_file(const std::filesystem::path& path, const std::string& content);

/// The content of a file that holds a secret. Checks and reads the same opened file, even if the name is replaced
/// later. Fails as read_whole_file(), and with bad_input, naming the remedy, when others can use the file.
Result<std::string> read_private_file(const std::filesystem::path& path, const FileKind& kind);

/// Why a file with these permissions and this owner is not a secret of the user `self`, with the remedy; nothing when
/// it is. Files of root are accepted, because root can read every file anyway; root may use files of other users.
std::optional<Error> why_not_private(const std::filesystem::path& path, mode_t mode, uid_t owner, uid_t self);

}  // namespace vqas
