#pragma once

#include <cstdint>
#include <filesystem>

#include "signal/opened_file.h"
#include "vqas/signal/input_file.h"
#include "vqas/signal/result.h"

namespace vqas {

struct RegularFile {
  OpenedFile file;
  std::uint64_t size = 0;  ///< when it was opened, in bytes
};

/// Opens a file to be read, with the checks and the errors of InputFile::open().
Result<RegularFile> open_regular(const std::filesystem::path& path, const FileKind& kind);

}  // namespace vqas
