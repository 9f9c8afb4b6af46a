#pragma once

#include <filesystem>

#include "vqas/run/exit_codes.h"

namespace vqas {

/// As exit_code_of(error) where `error` refused a start in `folder`, which this process does not hold: kInUse if
/// another one does.
ExitCode exit_code_of(const Error& error, const std::filesystem::path& folder);

}  // namespace vqas
