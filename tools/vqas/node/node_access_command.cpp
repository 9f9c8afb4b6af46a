// What an operator does on a node's machine: decide who may command the node, and take it back.
#include "node/node_access_command.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <filesystem>
#include <iostream>
#include <memory>

#include "terminal/standard_output.h"
#include "vqas/node/peers.h"

namespace vqas::cli {
namespace {

struct TokenOptions {
  std::string name, data, pairing, address;
};

int add_token(const TokenOptions& options) {
  if (options.pairing.empty() != options.address.empty()) {
    return report_error(
        {ErrorCode::bad_input, "give --pairing and --address together: the file names the node's address"});
  }
  if (!options.address.empty() && !options.address.starts_with("wss://")) {
    return report_error(
        {ErrorCode::bad_input, "--address " + options.address + ": write it like wss://192.0.2.1:7811"});
  }
  // Qt's certificates need an application.
  int count = 1;
  char name[] = "vqas", *arguments[] = {name, nullptr};
  const QCoreApplication application(count, arguments);
  const auto fingerprint = node_fingerprint(options.data);
  if (!fingerprint) return report_error(fingerprint.error());
  const auto token = add_node_token(options.data, options.name);
  if (!token) return report_error(token.error());
  if (options.pairing.empty()) {
    std::cout << *token << '\n';
  }
  const Status written = options.pairing.empty()
                             ? flush_standard_output()
                             : write_pairing(options.pairing, {options.address, *fingerprint, *token});
  if (written) return kOk;
  // Nobody received the token: remove it.
  const Status removed = remove_node_token(options.data, options.name);
  if (!removed) report_error(removed.error());
  return report_error(written.error());
}

int list_tokens(const TokenOptions& options) {
  const auto names = node_token_names(options.data);
  if (!names) return report_error(names.error());
  for (const std::string& name : *names) std::cout << name << '\n';
  return kOk;
}

int done(const Status& status) {
  return status ? kOk : report_error(status.error());
}

}  // namespace

void add_node_access_commands(CLI::App& node, Action& action) {
  const auto options = std::make_shared<TokenOptions>();
  const auto data = [options](CLI::App* command) {
    command->add_option("--data", options->data, "data folder of the node")->required();
  };
  CLI::App* const token = node.add_subcommand("token", "tokens of those who may command a node over TLS");
  token->require_subcommand(1);
  CLI::App* const add = token->add_subcommand("add", "make a token and print it once; the node keeps only a digest");
  add->add_option("NAME", options->name, "name of the token's owner: letters, digits, '-' and '_'")->required();
  add->add_option(
      "--pairing", options->pairing,
      "write address, fingerprint and token to this file for \"vqas measure --pairing\", and print nothing");
  add->add_option("--address", options->address, "the node's address as the controller reaches it, wss://HOST:PORT");
  add->footer("Example: vqas node token add anna --data b --pairing b-for-anna.json --address wss://192.0.2.1:7811");
  CLI::App* const list = token->add_subcommand("list", "print the names");
  list->footer("Example: vqas node token list --data b");
  CLI::App* const remove = token->add_subcommand("remove", "revoke a token; a connection that it opened stays open");
  remove->add_option("NAME", options->name, "name of the token's owner")->required();
  remove->footer("Example: vqas node token remove anna --data b");
  CLI::App* const release = node.add_subcommand(
      "release", "on the node's machine: take the node from its controller; its measurements stay on its disk");
  release->footer("Example: vqas node release --data b");
  for (CLI::App* const command : {add, list, remove, release}) data(command);
  add->callback([&action, options] { action = [options] { return add_token(*options); }; });
  list->callback([&action, options] { action = [options] { return list_tokens(*options); }; });
  remove->callback(
      [&action, options] { action = [options] { return done(remove_node_token(options->data, options->name)); }; });
  release->callback([&action, options] { action = [options] { return done(release_node(options->data)); }; });
}

}  // namespace vqas::cli
