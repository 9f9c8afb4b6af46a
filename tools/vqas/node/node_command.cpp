#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "corpus/corpus_folder.h"
#include "line/line_work.h"
#include "node/allow_origin.h"
#include "node/node_access_command.h"
#include "terminal/command.h"
#include "terminal/event_loop.h"
#include "terminal/whole_number.h"
#include "vqas/line/open_line.h"
#include "vqas/node/machine_hosts.h"
#include "vqas/node/node.h"
#include "vqas/signal/audio_file.h"

namespace vqas::cli {
namespace {

struct NodeCommandOptions {
  std::string end, corpus, data, substitute;
  bool with_parent = false;
  ClockState clock;
  NodeOptions node;
};

Result<Substitution> substitution_from(const std::string& text) {
  Substitution substitution;
  if (text.empty()) return substitution;
  const std::size_t equals = text.find('=');
  const std::string part = text.substr(0, equals);
  if (equals == std::string::npos || (part != "speech" && part != "all")) {
    return Error{ErrorCode::bad_input, "--substitute " + text + ": give speech=FILE or all=FILE"};
  }
  auto signal = read_audio(text.substr(equals + 1), {.channel = 0, .rate_hz = kLineRateHz, .max_seconds = 600});
  if (!signal) return signal.error();
  substitution.part = part == "all" ? Substitution::Part::all : Substitution::Part::speech;
  substitution.signal = std::move(signal).value();
  return substitution;
}

void log_line(const std::string& line) {
  std::cerr << "vqas node: " << line << std::endl;  // for the system's journal
}

// The nodes of a program that was killed score what they have heard before they end.
constexpr double kEndOfOthers_s = 20;

int serve(NodeCommandOptions options) {
  NodeOptions& node = options.node;
  node.log = log_line;
  node.end = options.end == "a" ? End::a : End::b;
  node.data = options.data;
  if (options.with_parent) node.data_patience_s = kEndOfOthers_s;
  if (const Status named = check_line_name(node.line, node.end); !named) return report_error(named.error());
  auto substitution = substitution_from(options.substitute);
  if (!substitution) return report_error(substitution.error());
  node.substitution = std::move(substitution).value();
  const auto corpus = corpus_folder(options.corpus);
  if (!corpus) return report_error(corpus.error());
  node.corpus = *corpus;
  node.tell_operator = [](const std::string& message) { std::cerr << "vqas node: " + message << std::endl; };
  await_simulator(node.line, node.end);
  EventLoop loop;
  const auto started = Node::start(node);
  if (!started) return report_error(started.error());
  loop.on_interrupt([] { EventLoop::end(kOk); });
  loop.on_release([&started] {
    if (!(*started)->release()) log_line("no controller holds this node");
  });
  if (options.with_parent) loop.on_input_end([] { EventLoop::end(kOk); });
  nlohmann::ordered_json ready = {{"control", (*started)->address()}, {"end", options.end}, {"line", node.line}};
  if (node.control.starts_with("0.0.0.0:") || node.control.starts_with("[::]:")) {
    const std::string first = (*started)->address();
    const std::string port = first.substr(first.rfind(':'));
    const std::string scheme = first.substr(0, first.find("//") + 2);
    ready["addresses"] = nlohmann::ordered_json::array();
    for (const std::string& host : machine_hosts()) ready["addresses"].push_back(scheme + host + port);
  }
  if (!(*started)->fingerprint().empty()) ready["fingerprint"] = (*started)->fingerprint();
  if (!(*started)->metrics_address().empty()) ready["metrics"] = (*started)->metrics_address();
  std::cout << ready.dump() << std::endl;  // the parent process waits for this line
  return loop.run();
}

}  // namespace

void add_node_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<NodeCommandOptions>();
  NodeOptions& node = options->node;
  CLI::App* command = app.add_subcommand(
      "node",
      "run one end of a line: sends and receives for a controller; prints its control address and serves until "
      "interrupted");
  command->add_option("--end", options->end, "which end of the line this is; required")
      ->check(CLI::IsMember({"a", "b"}));
  std::string known;
  for (const LineScheme& one : line_schemes())
    known += std::string(known.empty() ? "" : "; ") + std::string(one.pattern);
  command->add_option("--line", node.line, "the line; required: " + known);
  command->add_option("--data", options->data, "folder for recordings and tokens; required");
  add_corpus_option(*command, options->corpus);
  command
      ->add_option(
          "--control", node.control,
          "HOST:PORT of the control socket; port 0: a free one. Loopback needs no credentials; any other address "
          "uses TLS and requires a token (\"vqas node token add\")")
      ->capture_default_str();
  command->add_flag("--tls", node.tls, "TLS and tokens on loopback too");
  add_origin_option(*command, node.allowed_origins);
  command->add_option(
      "--metrics", node.metrics,
      "HOST:PORT for metrics in Prometheus' text format, such as 127.0.0.1:7813; default: none. Any address other than "
      "loopback uses TLS and requires a token");
  command
      ->add_option("--device-delay-ms", node.device_delay_ms,
                   "the sound device's own delay, from \"vqas line calibrate\"; subtracted from measured delays")
      ->check(CLI::Range(0.0, 5000.0));
  CLI::Option* const follows = command->add_option(
      "--clock-uncertainty-ms", options->clock.uncertainty_ms,
      "how closely this machine's clock follows a common one (chrony, PTP, GPS), in ms (chrony: root dispersion + half "
      "of "
      "root delay, from \"chronyc tracking\"). If both nodes give it, the one-way delay is measured by the two clocks");
  follows->check(CLI::Range(0.0, 10000.0));
  command
      ->add_option("--clock-offset-ms", options->clock.offset_ms, "known offset of that clock, in ms; positive: ahead")
      ->check(CLI::Range(-1e6, 1e6))
      ->capture_default_str()
      ->needs(follows);
  command->add_flag("--with-parent", options->with_parent, "end when standard input ends");
  command
      ->add_option("--send-delay-max-s", node.max_send_delay_s,
                   "wait a random time of 0 to this before each transmission, in s, unknown to the other end")
      ->check(CLI::Range(0.0, 60.0))
      ->group("Test aids");
  command->add_option("--seed", node.seed, "seed of these waits")
      ->check(whole_number())
      ->capture_default_str()
      ->group("Test aids");
  command
      ->add_option(
          "--substitute", options->substitute,
          "send the recording FILE instead: speech=FILE in place of the speech between good marks, all=FILE in "
          "place of whole transmissions")
      ->group("Test aids");
  command->footer(
      "Example: vqas node --end a --line sim:127.0.0.1:7810/a --control 127.0.0.1:7811 --data a\n"
      "The protocol of a node: libvqas/doc/protocol.md");
  add_node_access_commands(*command, action);
  command->callback([&action, command, follows, options] {
    if (!command->get_subcommands().empty()) return;
    if (follows->count() > 0) options->node.clock = options->clock;
    for (const char* const needed : {"--end", "--line", "--data"}) {
      if (command->count(needed) == 0) throw CLI::RequiredError(needed);
    }
    action = [options] { return serve(*options); };
  });
}

}  // namespace vqas::cli
