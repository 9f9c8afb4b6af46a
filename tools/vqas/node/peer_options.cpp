#include "node/peer_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "terminal/command.h"
#include "vqas/campaign/shell_words.h"
#include "vqas/node/peer_trust.h"

namespace vqas::cli {
namespace {

namespace fs = std::filesystem;

// The verdict of an error that is printed; nothing: no error.
using Refusal = std::optional<RunVerdict>;

Refusal unknown_peer(const std::string& message) {
  std::cerr << "vqas: " << message << ".\n";
  return RunVerdict::unknown_peer;
}

Refusal refusal_for(const Error& error) {
  report_error(error);
  return verdict_of(error);
}

bool a_person_agrees(const std::string& address, const std::string& fingerprint) {
  std::cerr << fmt::format(
      "The node at {} is not known. The fingerprint of its certificate is\n  {}\nThe node printed its own when it "
      "started: have it read out to you by telephone, and compare all digits.\nTrust this node from now on (yes/no)? ",
      address, fingerprint);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "yes";
}

class Trust {
 public:
  explicit Trust(const PeerOptions& options) : options_(options) {}

  Refusal prepare() {
    std::vector<Pairing> pairings;
    for (const std::string& one : options_.fingerprints) {
      if (!is_fingerprint(one)) {
        return refusal_for({ErrorCode::bad_input, "--peer-fingerprint " + one +
                                                      ": give \"sha256:\" and 64 hexadecimal digits, as the node "
                                                      "printed it"});
      }
    }
    for (const std::string& one : options_.pairings) {
      auto pairing = read_pairing(one);
      if (!pairing) return refusal_for(pairing.error());
      pairings.push_back(*std::move(pairing));
    }
    auto trust = PeerTrust::read(options_.known_peers.empty() ? default_known_peers() : fs::path(options_.known_peers),
                                 std::move(pairings));
    if (!trust) return refusal_for(trust.error());
    trust_ = *std::move(trust);
    return {};
  }

  Refusal establish(const std::string& address, const std::string& token_file, NodeAccess& access) {
    if (!address.starts_with("wss://")) return {};
    const auto seen = peer_fingerprint(address);
    if (!seen) return refusal_for(seen.error());
    if (const Refusal refused = check(address, *seen)) return refused;
    access.fingerprint = *seen;
    access.token = trust_->token(*seen);
    if (token_file.empty()) return {};
    const auto token = read_token_file(token_file);
    if (!token) return refusal_for(token.error());
    access.token = *token;
    return {};
  }

  /// Each --peer-fingerprint must belong to one of the two nodes, even if both are known already.
  Refusal all_were_shown() const {
    for (const std::string& one : options_.fingerprints) {
      if (std::ranges::find(shown_, one) != shown_.end()) continue;
      return unknown_peer(
          fmt::format("neither node shows the certificate {} that --peer-fingerprint gave: another machine may answer "
                      "in its place; "
                      "compare it with the fingerprints that the nodes printed",
                      one));
    }
    return {};
  }

 private:
  Refusal check(const std::string& address, const std::string& seen) {
    const bool given = std::ranges::find(options_.fingerprints, seen) != options_.fingerprints.end();
    if (given) shown_.push_back(seen);
    const PeerStanding standing = trust_->standing(address, seen);
    if (given || standing == PeerStanding::trusted) return pin(address, seen);
    if (standing == PeerStanding::changed) return unknown_peer(trust_->refusal(address, seen).message);
    const bool terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
    if (!terminal) {
      return unknown_peer(
          fmt::format("the node at {} is not known; its fingerprint is {}{}: compare it with what the node "
                      "printed, then give --peer-fingerprint, or a --pairing file of the node",
                      address, seen, options_.fingerprints.empty() ? "" : ", which --peer-fingerprint did not give"));
    }
    if (!a_person_agrees(address, seen)) return unknown_peer(fmt::format("the node at {} is not trusted", address));
    const Status kept = trust_->remember(address, seen);
    return kept ? Refusal() : refusal_for(kept.error());
  }

  // The user has checked the fingerprint: from now on the node is known without the option.
  Refusal pin(const std::string& address, const std::string& seen) {
    if (const Status kept = trust_->remember(address, seen); !kept)
      std::cerr << fmt::format("vqas: warning: the node at {} is trusted for this run only: {}.\n", address,
                               kept.error().message);
    return {};
  }

  const PeerOptions& options_;
  std::vector<std::string> shown_;
  std::optional<PeerTrust> trust_;
};

}  // namespace

void add_peer_options(CLI::App& command, PeerOptions& options) {
  command
      .add_option("--peer-fingerprint", options.fingerprints,
                  "trust the node whose certificate has this fingerprint, sha256:…; once for each node")
      ->expected(1)
      ->take_all()
      ->group("Nodes over TLS");
  command
      .add_option("--pairing", options.pairings,
                  "file with fingerprint and token, from \"vqas node token add --pairing\"; once for each node")
      ->expected(1)
      ->take_all()
      ->group("Nodes over TLS");
  command.add_option("--token-file-a", options.token_file_a, "file with a token of node a")->group("Nodes over TLS");
  command.add_option("--token-file-b", options.token_file_b, "file with a token of node b")->group("Nodes over TLS");
  command
      .add_option("--known-peers", options.known_peers,
                  "file of the nodes that are trusted already; default: ~/.config/vqas/known-peers")
      ->group("Nodes over TLS");
}

std::optional<RunVerdict> trust_peers(const PeerOptions& options, RunPlan& plan) {
  const auto is_tls = [](const std::string& address) { return address.starts_with("wss://"); };
  if (!is_tls(plan.node_a) && !is_tls(plan.node_b)) return {};
  Trust trust(options);
  if (const Refusal refused = trust.prepare()) return refused;
  if (const Refusal refused = trust.establish(plan.node_a, options.token_file_a, plan.access_a)) return refused;
  if (const Refusal refused = trust.establish(plan.node_b, options.token_file_b, plan.access_b)) return refused;
  return trust.all_were_shown();
}

std::string peer_arguments(const PeerOptions& options) {
  std::string text;
  const auto add = [&text](const char* name, const std::string& value) {
    if (!value.empty()) text += std::string(" ") + name + " " + as_word(value);
  };
  for (const std::string& one : options.fingerprints) add("--peer-fingerprint", one);
  for (const std::string& one : options.pairings) add("--pairing", one);
  add("--token-file-a", options.token_file_a);
  add("--token-file-b", options.token_file_b);
  add("--known-peers", options.known_peers);
  return text;
}

}  // namespace vqas::cli
