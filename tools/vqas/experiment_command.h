#pragma once

#include "command.h"

namespace vqas::cli {

void add_experiment_command(CLI::App& app, Action& action);

}  // namespace vqas::cli
