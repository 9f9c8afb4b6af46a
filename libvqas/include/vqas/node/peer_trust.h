#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vqas/node/peers.h"
#include "vqas/signal/result.h"

namespace vqas {

/// What is to be thought of a node that shows a certificate.
enum class PeerStanding {
  trusted,  ///< its fingerprint was told by a pairing file, or the node was trusted before
  unknown,  ///< a person has to compare the fingerprint with the one that the node printed
  changed,  ///< it showed, or its pairing file says, another one: somebody may answer in its place
};

/// The nodes that may be spoken with over TLS: those of the pairing files that were given, and those that were trusted
/// before. Asks no person anything and connects to nothing. For one thread.
class PeerTrust {
 public:
  /// Fails with io where `known_peers` is there and cannot be read.
  static Result<PeerTrust> read(const std::filesystem::path& known_peers, std::vector<Pairing> pairings);

  PeerStanding standing(const std::string& address, const std::string& fingerprint) const;
  /// Why a node is refused whose standing is `changed`: what it shows, what was expected, and what to do. bad_input.
  Error refusal(const std::string& address, const std::string& fingerprint) const;
  /// From now on this node is known by this fingerprint; nothing is written where it is already. Fails with io.
  Status remember(const std::string& address, const std::string& fingerprint);
  /// From the pairing file of the node that shows this fingerprint; empty where none was given.
  std::string token(const std::string& fingerprint) const;

 private:
  PeerTrust(KnownPeers known, std::vector<Pairing> pairings)
      : known_(std::move(known)), pairings_(std::move(pairings)) {}
  KnownPeers known_;
  std::vector<Pairing> pairings_;
};

/// Where a user's known peers are kept: vqas/known-peers in XDG_CONFIG_HOME, else in .config of the home folder.
std::filesystem::path default_known_peers();

/// The first word of a token file. Fails with bad_input when the file is missing or empty.
Result<std::string> read_token_file(const std::filesystem::path& path);

}  // namespace vqas
