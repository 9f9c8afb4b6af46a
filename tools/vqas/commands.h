#pragma once

#include "terminal/command.h"

namespace vqas::cli {

/// Makes `app` the whole command line of vqas; `action` is set to what the chosen command does.
void add_commands(CLI::App& app, Action& action);

}  // namespace vqas::cli
