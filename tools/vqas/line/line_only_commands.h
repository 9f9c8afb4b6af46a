#pragma once

#include "terminal/command.h"

namespace vqas::cli {

/// "send" and "listen": a measurement without any network between the ends.
void add_send_command(CLI::App& app, Action& action);
void add_listen_command(CLI::App& app, Action& action);

}  // namespace vqas::cli
