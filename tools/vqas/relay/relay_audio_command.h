#pragma once

#include <CLI/App.hpp>

#include "terminal/command.h"

namespace vqas::cli {

void add_relay_audio_command(CLI::App& relay, Action& action);

}  // namespace vqas::cli
