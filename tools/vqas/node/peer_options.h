#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "vqas/node/controller.h"

namespace vqas::cli {

/// How a command may come to trust nodes that it reaches over TLS, the same at every command that speaks to nodes.
struct PeerOptions {
  std::vector<std::string> fingerprints, pairings;
  std::string token_file_a, token_file_b;
  std::string known_peers;
};
void add_peer_options(CLI::App& command, PeerOptions& options);

/// Fills the plan's accesses: asks each "wss://" node for its certificate and checks it against the options and the
/// file of known peers, or, on a terminal, asks a person and remembers the answer. Gives the exit code, kOk or the one
/// of the error that it has told. Needs an event loop.
int trust_peers(const PeerOptions& options, RunPlan& plan);

/// The options that were given, " --pairing b.json …", for a command that goes on; nothing where none was.
std::string peer_arguments(const PeerOptions& options);

}  // namespace vqas::cli
