#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "node/line_options.h"
#include "terminal/command.h"
#include "terminal/interrupts.h"
#include "terminal/whole_number.h"

namespace vqas::cli {
namespace {

struct SimOptions {
  LineOptions line = default_line_options();
  std::string conditions;
  std::uint64_t seed = 1;
  std::uint16_t port = 0;
  double guard_s = 0.05;
  bool with_parent = false, real_time = false;
};

int simulate(SimOptions options) {
  options.line.conditions.end_silence_s = end_silence_for_guard(options.guard_s);
  const auto line = options.conditions.empty() ? simulated_line(options.line, options.seed)
                                               : parse_simulated_conditions(options.conditions);
  if (!line) return report_error(line.error());
  const Interrupts interrupts;
  const auto server = SimulatorServer::listen(*line, options.port);
  if (!server) return report_error(server.error());
  std::cout << fmt::format(
                   "{{\"port\": {0}, \"line_a\": \"sim:127.0.0.1:{0}/a\", \"line_b\": \"sim:127.0.0.1:{0}/b\"}}",
                   (*server)->port())
            << std::endl;  // the parent process waits for this line
  if (options.with_parent) (*server)->end_with(0);
  if (options.real_time) {
    (*server)->go_by([] {
      const auto now = std::chrono::steady_clock::now().time_since_epoch();
      return std::int64_t{std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()};
    });
  }
  // A thread of its own waits for the signals; SIGTERM wakes it when the server ends by itself.
  std::thread watcher([&interrupts, &server] {
    interrupts.wait();
    (*server)->stop();
  });
  const Status served = (*server)->run();
  pthread_kill(watcher.native_handle(), SIGTERM);
  watcher.join();
  return served ? kOk : report_error(served.error());
}

}  // namespace

void add_sim_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<SimOptions>();
  CLI::App* command = app.add_subcommand("sim",
                                         "simulate a 64 kb/s line between two nodes, in virtual time unless "
                                         "--real-time is given; prints its port and serves "
                                         "until interrupted");
  add_line_options(*command, options->line);
  command->add_option("--seed", options->seed, "the same seed makes the same noise and errors")
      ->check(whole_number())
      ->capture_default_str();
  command
      ->add_option("--guard-s", options->guard_s,
                   "--guard-s of \"vqas send\", in s, so that the line does not take it for the end of a transmission; "
                   "nodes send their "
                   "own")
      ->check(CLI::Range(0.05, 1.0))
      ->capture_default_str();
  command->add_option("--port", options->port, "TCP port on 127.0.0.1; 0: a free one")
      ->check(whole_number(0, 65535))
      ->capture_default_str();
  command->add_option("--conditions", options->conditions,
                      "seed and conditions of each direction as JSON, as the simulator sends them to its nodes; "
                      "replaces the options of "
                      "the line");
  command->add_flag("--real-time", options->real_time,
                    "a second of line time takes a second; the same seed gives the same measurements as without it");
  command->add_flag("--with-parent", options->with_parent, "end when standard input ends");
  command->footer(
      "Example, in three terminals:\n  vqas sim --ber 1e-4 --port 7810\n"
      "  vqas node --end a --line sim:127.0.0.1:7810/a --control 127.0.0.1:7811 --data a\n"
      "  vqas node --end b --line sim:127.0.0.1:7810/b --control 127.0.0.1:7812 --data b");
  command->callback([&action, options] { action = [options] { return simulate(*options); }; });
}

}  // namespace vqas::cli
