// The module that main() loads for all but the score of files.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iostream>

#include "commands.h"
#include "terminal/numbers.h"
#include "terminal/open_files.h"
#include "terminal/parse_fault.h"
#include "terminal/plain_messages.h"

namespace {

// These have an event loop, connections or child processes; the others open one or two files at a time.
bool serves(const CLI::App& app) {
  constexpr std::array kServing{"sim",   "node", "measure",    "quickstart", "send", "listen",
                                "relay", "line", "experiment", "answer",     "calls"};
  return std::ranges::any_of(kServing, [&](const char* name) { return app.got_subcommand(name); });
}

}  // namespace

extern "C" int vqas_run(int argc, char** argv) {
  using namespace vqas::cli;
  const PlainMessages plain;
  CLI::App app;
  Action action;
  add_commands(app, action);
  refuse_what_is_no_number(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      if (const auto stranger = stranger_in(app, {argv + 1, argv + argc}); !stranger.empty()) {
        std::cerr << stranger;
        return vqas::kUsage;
      }
      return app.exit(error);
    }
    if (argc < 2) {
      std::cerr << app.help();
    } else {
      std::cerr << parse_fault(app, error, {argv + 1, argv + argc});
    }
    return vqas::kUsage;
  }
  if (serves(app)) {
    if (const vqas::Status allowed = allow_open_files(); !allowed) return report_error(allowed.error());
  }
  return action ? action() : vqas::kUsage;
}
