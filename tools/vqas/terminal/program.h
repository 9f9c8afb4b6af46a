#pragma once

#include <CLI/App.hpp>

#include "terminal/command.h"

namespace vqas::cli {

/// What both programs named vqas share of the command line above its commands: name, description, --version.
void name_program(CLI::App& app);

/// How a program differs from the other.
struct Program {
  /// Makes `app` its command line; `action` is set to what the chosen command does.
  void (*add_commands)(CLI::App& app, Action& action);
  /// What the chosen command needs before it runs; may be null.
  Status (*prepare)(const CLI::App& app) = nullptr;
};

/// main() without the destructors of static objects: reads the command line, runs the command, gives the exit code.
int run_program(int argc, char** argv, const Program& program);

}  // namespace vqas::cli
