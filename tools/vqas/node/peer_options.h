#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vqas/campaign/run_verdict.h"
#include "vqas/node/controller.h"

namespace vqas::cli {

/// How a command trusts nodes over TLS: the same options for every command that connects to nodes.
struct PeerOptions {
  std::vector<std::string> fingerprints, pairings;
  std::string token_file_a, token_file_b;
  std::string known_peers;
};
void add_peer_options(CLI::App& command, PeerOptions& options);

/// Fills the plan's accesses: asks each "wss://" node for its certificate and checks it against the options and the
/// file of known peers, or, on a terminal, asks a person and remembers the answer. Gives nothing, or the verdict of
/// an error that it has printed. Needs an event loop.
std::optional<RunVerdict> trust_peers(const PeerOptions& options, RunPlan& plan);

/// The options that were given, " --pairing b.json …", for a command that resumes; empty without any.
std::string peer_arguments(const PeerOptions& options);

}  // namespace vqas::cli
