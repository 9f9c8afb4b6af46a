#pragma once

#include <CLI/CLI.hpp>

#include "command.h"

namespace vqas::cli {

void add_relay_audio_command(CLI::App& relay, Action& action);

}  // namespace vqas::cli
