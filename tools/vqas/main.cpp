// The full program, with every command. Users call front/main.cpp, which becomes this one by exec.
#include <algorithm>
#include <array>

#include "commands.h"
#include "terminal/open_files.h"
#include "terminal/plain_messages.h"
#include "terminal/program.h"
#include "terminal/same_version.h"

namespace {

// These have an event loop, connections or child processes; the others open one or two files at a time.
bool serves(const CLI::App& app) {
  constexpr std::array kServing{"sim",   "node", "measure",    "quickstart", "send", "listen",
                                "relay", "line", "experiment", "answer",     "calls"};
  return std::ranges::any_of(kServing, [&](const char* name) { return app.got_subcommand(name); });
}

vqas::Status prepare(const CLI::App& app) {
  return serves(app) ? vqas::cli::allow_open_files() : vqas::success();
}

}  // namespace

int main(int argc, char** argv) {
  const vqas::cli::PlainMessages plain;
  if (const vqas::Status same = vqas::cli::check_version(); !same) return vqas::cli::report_error(same.error());
  return vqas::cli::run_program(argc, argv, {.add_commands = vqas::cli::add_commands, .prepare = prepare});
}
