#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>

#include "command.h"

int main(int argc, char** argv) {
  using namespace vqas::cli;
  CLI::App app{"vqas measures how good speech sounds through a voice line"};
  app.set_version_flag("--version", VQAS_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  Action action;
  add_channel_command(app, action);
  add_score_command(app, action);
  add_corpus_command(app, action);
  add_sim_command(app, action);
  add_node_command(app, action);
  add_measure_command(app, action);
  add_quickstart_command(app, action);
  add_report_command(app, action);
  add_relay_command(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kOk : kUsage;
  }
  try {
    return action ? action() : kUsage;
  } catch (const std::exception& fault) {
    std::cerr << "vqas: internal fault: " << fault.what() << ".\n";
    return kInternal;
  }
}
