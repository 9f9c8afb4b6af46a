#pragma once

#include "terminal/command.h"

namespace vqas::cli {

/// Adds "token" and "release" below "node".
void add_node_access_commands(CLI::App& node, Action& action);

}  // namespace vqas::cli
