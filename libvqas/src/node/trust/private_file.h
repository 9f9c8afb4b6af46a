#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "vqas/signal/input_file.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Writes a file that only its owner can read, whole or not at all. Fails with io.
Status write_private_file(const std::filesystem::path& path, const std::string& content);

/// The whole of a file that holds a secret. What is opened is looked at and read, not what the name stands for later.
/// Fails as read_whole_file() and check_private_file() do.
Result<std::string> read_private_file(const std::filesystem::path& path, const FileKind& kind);

/// Why a file with these rights and this owner is not a secret of the user `self`, naming the cure; nothing when it is.
/// What root owns root could read anyhow, and root may use what others own.
std::optional<Error> why_not_private(const std::filesystem::path& path, mode_t mode, uid_t owner, uid_t self);

}  // namespace vqas
