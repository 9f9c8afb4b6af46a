#pragma once

#include <filesystem>

#include "vqas/signal/result.h"

namespace vqas::cli {

/// Fails with bad_input when plot_score() does not support the ending.
Status check_plot_name(const std::filesystem::path& path);

}  // namespace vqas::cli
