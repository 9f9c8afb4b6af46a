#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <string>

#include "command.h"
#include "line_options.h"

namespace vqas::cli {
namespace {

struct SimOptions {
  LineOptions line = default_line_options();
  std::string conditions;
  std::uint64_t seed = 1;
  std::uint16_t port = 0;
  bool with_parent = false;
};

int simulate(const SimOptions& options) {
  const auto line = options.conditions.empty() ? simulated_line(options.line, options.seed)
                                               : parse_simulated_conditions(options.conditions);
  if (!line) return report_error(line.error());
  const auto server = SimulatorServer::listen(*line, options.port);
  if (!server) return report_error(server.error());
  std::cout << fmt::format(
                   "{{\"port\": {0}, \"line_a\": \"sim:127.0.0.1:{0}/a\", \"line_b\": \"sim:127.0.0.1:{0}/b\"}}",
                   (*server)->port())
            << std::endl;  // whoever started this waits for the line
  if (options.with_parent) (*server)->end_with(0);
  const Status served = (*server)->run();
  return served ? kOk : report_error(served.error());
}

}  // namespace

void add_sim_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<SimOptions>();
  CLI::App* command = app.add_subcommand(
      "sim",
      "simulate a 64 kb/s line between two nodes, in virtual time; prints its port and serves until interrupted");
  add_line_options(*command, options->line);
  command->add_option("--seed", options->seed, "the same seed makes the same noise and errors")->capture_default_str();
  command->add_option("--port", options->port, "TCP port on 127.0.0.1; 0: a free one")->capture_default_str();
  command->add_option(
      "--conditions", options->conditions,
      "seed and conditions of each direction as JSON, as the simulator tells them to its nodes; replaces "
      "the options of the line");
  command->add_flag("--with-parent", options->with_parent, "end when standard input ends");
  command->footer(
      "Example, in three terminals:\n  vqas sim --ber 1e-4 --port 7810\n"
      "  vqas node --end a --line sim:127.0.0.1:7810/a --control 127.0.0.1:7811 --data a\n"
      "  vqas node --end b --line sim:127.0.0.1:7810/b --control 127.0.0.1:7812 --data b");
  command->callback([&action, options] { action = [options] { return simulate(*options); }; });
}

}  // namespace vqas::cli
