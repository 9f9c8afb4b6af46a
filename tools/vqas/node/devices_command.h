#pragma once

#include "terminal/command.h"

namespace vqas::cli {

/// "vqas devices".
void add_devices_command(CLI::App& app, Action& action);

}  // namespace vqas::cli
