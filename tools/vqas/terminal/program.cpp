#include "terminal/program.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <exception>
#include <iostream>
#include <string>

#include "terminal/out_of_memory.h"
#include "terminal/parse_fault.h"
#include "terminal/plain_streams.h"
#include "terminal/standard_output.h"

namespace vqas::cli {
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

int run(int argc, char** argv, const Program& program) {
  CLI::App app;
  Action action;
  program.add_commands(app, action);
  refuse_what_is_no_number(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      if (const auto stranger = stranger_in(app, {argv + 1, argv + argc}); !stranger.empty()) {
        std::cerr << stranger;
        return kUsage;
      }
      return app.exit(error);
    }
    if (argc < 2) {
      std::cerr << app.help();
    } else {
      std::cerr << parse_fault(app, error, {argv + 1, argv + argc});
    }
    return kUsage;
  }
  if (program.prepare != nullptr) {
    if (const Status ready = program.prepare(app); !ready) return report_error(ready.error());
  }
  try {
    return action ? action() : kUsage;
  } catch (const std::exception& fault) {
    return report_exception(fault);
  }
}

}  // namespace

void name_program(CLI::App& app) {
  app.name("vqas");
  app.description("vqas measures how good speech sounds through a voice line");
  app.set_version_flag("--version", VQAS_VERSION);
  app.require_subcommand(1);
}

int run_program(int argc, char** argv, const Program& program) {
  const PlainStreams plain;
  const int exit_code = run(argc, argv, program);
  const Status written = flush_standard_output();
  if (written) return exit_code;
  const int told = report_error(written.error());
  return exit_code == kOk ? told : exit_code;
}

}  // namespace vqas::cli
