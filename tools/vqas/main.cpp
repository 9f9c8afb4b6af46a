#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <iostream>
#include <string>

#include "commands.h"
#include "terminal/open_files.h"
#include "terminal/out_of_memory.h"
#include "terminal/parse_fault.h"
#include "terminal/plain_streams.h"
#include "terminal/standard_output.h"

namespace {

// CLI11 reads an empty text as 0: "--ber $RATIO" with an empty RATIO would simulate a line without errors. And every
// comparison with NaN is false, so that it would pass the limits of each option.
std::string fault_of_number(const std::string& text) {
  if (text.empty()) return "needs a number";
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && !std::isfinite(value) ? "needs a finite number" : "";
}

void refuse_what_is_no_number(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (!type.starts_with("FLOAT") && !type.starts_with("INT") && !type.starts_with("UINT")) continue;
    option->check(CLI::Validator([](const std::string& text) { return fault_of_number(text); }, ""));
  }
  for (CLI::App* command : app.get_subcommands({})) refuse_what_is_no_number(*command);
}

// These have an event loop, connections or child processes; the others open one or two files at a time.
bool serves(const CLI::App& app) {
  constexpr std::array kServing{"sim",   "node", "measure",    "quickstart", "send", "listen",
                                "relay", "line", "experiment", "answer",     "calls"};
  return std::ranges::any_of(kServing, [&](const char* name) { return app.got_subcommand(name); });
}

int run(int argc, char** argv) {
  using namespace vqas::cli;
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
  try {
    return action ? action() : vqas::kUsage;
  } catch (const std::exception& fault) {
    return report_exception(fault);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace vqas::cli;
  const PlainStreams plain;
  const int exit_code = run(argc, argv);
  const vqas::Status written = flush_standard_output();
  if (written) return exit_code;
  const int told = report_error(written.error());
  return exit_code == vqas::kOk ? told : exit_code;
}
