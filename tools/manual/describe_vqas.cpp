// Prints the command line of vqas as JSON, for pages.py and completion.py.
#include <iostream>

#include "commands.h"
#include "describe.h"

int main() {
  CLI::App app;
  vqas::cli::Action action;
  vqas::cli::add_commands(app, action);
  std::cout << vqas::manual::describe(app).dump(1) << '\n';
}
