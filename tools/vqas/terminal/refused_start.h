#pragma once

#include <filesystem>

#include "terminal/command.h"

namespace vqas::cli {

/// As report_error(error) for a start that was refused in `folder`: kInUse if another process measures into it.
ExitCode report_error(const Error& error, const std::filesystem::path& folder);

}  // namespace vqas::cli
