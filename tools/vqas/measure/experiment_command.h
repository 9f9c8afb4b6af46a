#pragma once

#include "terminal/command.h"

namespace vqas::cli {

void add_experiment_command(CLI::App& app, Action& action);

}  // namespace vqas::cli
