#pragma once

#include "terminal/command.h"

namespace vqas::cli {

/// "vqas line check", "vqas line calibrate" and "vqas line baseline".
void add_line_command(CLI::App& app, Action& action);

}  // namespace vqas::cli
