#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "command.h"
#include "corpus_folder.h"
#include "event_loop.h"
#include "vqas/line/open_line.h"
#include "vqas/node/node.h"
#include "vqas/signal/audio_file.h"
#include "whole_number.h"

namespace vqas::cli {
namespace {

struct NodeCommandOptions {
  std::string end, corpus, data, substitute;
  bool with_parent = false;
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

int serve(NodeCommandOptions options) {
  NodeOptions& node = options.node;
  node.end = options.end == "a" ? End::a : End::b;
  node.data = options.data;
  if (const Status named = check_line_name(node.line, node.end); !named) return report_error(named.error());
  auto substitution = substitution_from(options.substitute);
  if (!substitution) return report_error(substitution.error());
  node.substitution = std::move(substitution).value();
  const auto corpus = corpus_folder(options.corpus);
  if (!corpus) return report_error(corpus.error());
  node.corpus = *corpus;
  node.tell_operator = [](const std::string& message) {
    std::cerr << (message.empty() ? "vqas node: the call is there again; the run goes on"
                                  : "vqas node: the run waits: " + message)
              << std::endl;
  };
  EventLoop loop;
  const auto started = Node::start(node);
  if (!started) return report_error(started.error());
  loop.on_interrupt([] { EventLoop::end(kOk); });
  if (options.with_parent) loop.on_input_end([] { EventLoop::end(kOk); });
  const nlohmann::ordered_json ready = {{"control", (*started)->address()}, {"end", options.end}, {"line", node.line}};
  std::cout << ready.dump() << std::endl;  // whoever started this waits for the line
  return loop.run();
}

}  // namespace

void add_node_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<NodeCommandOptions>();
  NodeOptions& node = options->node;
  CLI::App* command = app.add_subcommand(
      "node",
      "be one end of a line: sends and receives as a controller asks; prints its control address and serves until "
      "interrupted");
  command->add_option("--end", options->end, "which end of the line this is")
      ->required()
      ->check(CLI::IsMember({"a", "b"}));
  std::string known;
  for (const LineScheme& one : line_schemes())
    known += std::string(known.empty() ? "" : "; ") + std::string(one.pattern);
  command->add_option("--line", node.line, "the line: " + known)->required();
  command->add_option("--data", options->data, "folder for what is received")->required();
  command->add_option("--corpus", options->corpus, "corpus folder; else VQAS_CORPUS, else the project's own stimuli");
  command->add_option("--control", node.control, "HOST:PORT of the control socket, loopback only; port 0: a free one")
      ->capture_default_str();
  command
      ->add_option("--device-delay-ms", node.device_delay_ms,
                   "delay of the sound device itself, as \"vqas line calibrate\" gives it; taken off measured delays")
      ->check(CLI::Range(0.0, 5000.0))
      ->capture_default_str();
  command->add_flag("--with-parent", options->with_parent, "end when standard input ends");
  command
      ->add_option("--send-delay-max-s", node.max_send_delay_s,
                   "wait before each transmission for a time of 0 to this, in s, that nobody else is told")
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
      "How to speak with a node: libvqas/doc/protocol.md");
  command->callback([&action, options] { action = [options] { return serve(*options); }; });
}

}  // namespace vqas::cli
