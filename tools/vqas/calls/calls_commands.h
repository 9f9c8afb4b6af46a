#pragma once

#include "terminal/command.h"

namespace vqas::cli {

/// "answer" and "calls": the far end of many calls, and the end that makes and scores them.
void add_answer_command(CLI::App& app, Action& action);
void add_calls_command(CLI::App& app, Action& action);

}  // namespace vqas::cli
