// Prints the command line of vqas-gui as JSON, for pages.py and completion.py.
#include <iostream>

#include "describe.h"
#include "options.h"

int main() {
  CLI::App app;
  vqas::app::Options options;
  vqas::app::add_options(app, options);
  std::cout << vqas::manual::describe(app).dump(1) << '\n';
}
