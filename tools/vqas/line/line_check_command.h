#pragma once

#include "terminal/command.h"

namespace vqas::cli {

/// Adds "vqas line check" below "line".
void add_line_check_command(CLI::App& line, Action& action);

}  // namespace vqas::cli
