// Scores files by itself. All other commands are in a module: the 60 libraries that they need take longer to load than
// a pair takes to score.
#include <dlfcn.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string_view>

#include "terminal/command.h"
#include "terminal/numbers.h"
#include "terminal/out_of_memory.h"
#include "terminal/plain_streams.h"
#include "terminal/standard_output.h"

namespace {

using namespace vqas::cli;

/// What the command line asks to score; nothing where it asks for anything else, a picture, help, or what is wrong.
Action score_action(int argc, char** argv) {
  if (argc < 2 || argv[1] != std::string_view("score")) return {};
  CLI::App app;
  Action action;
  add_score_command(app, action, nullptr);
  app.require_subcommand(1);
  refuse_what_is_no_number(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError&) {
    return {};
  }
  return action;
}

int run_module(int argc, char** argv) {
  void* const module = ::dlopen(VQAS_MODULE, RTLD_LAZY);
  void* const run = module != nullptr ? ::dlsym(module, "vqas_run") : nullptr;
  if (run == nullptr) {
    std::cerr << "vqas: this installation is not complete: " << ::dlerror() << ".\n";
    return vqas::kInternal;
  }
  return reinterpret_cast<int (*)(int, char**)>(run)(argc, argv);
}

int run(int argc, char** argv) {
  try {
    const Action action = score_action(argc, argv);
    return action ? action() : run_module(argc, argv);
  } catch (const std::exception& fault) {
    return report_exception(fault);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const PlainStreams plain;
  const int exit_code = run(argc, argv);
  const vqas::Status written = flush_standard_output();
  if (written) return exit_code;
  const int told = report_error(written.error());
  return exit_code == vqas::kOk ? told : exit_code;
}
