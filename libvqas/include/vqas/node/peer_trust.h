#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vqas/node/peers.h"
#include "vqas/signal/result.h"

namespace vqas {

/// How far a node with a certificate is trusted.
enum class PeerStanding {
  trusted,  ///< its fingerprint is in a pairing file, or the node was trusted before
  unknown,  ///< a person has to compare the fingerprint with the one that the node printed
  changed,  ///< it has another fingerprint than before or in its pairing file: another program may answer in its place
};

/// The nodes that may be contacted over TLS: those of the given pairing files, and those trusted before. Asks no user
/// and makes no connections. For one thread.
class PeerTrust {
 public:
  /// Fails with io if `known_peers` exists and cannot be read.
  static Result<PeerTrust> read(const std::filesystem::path& known_peers, std::vector<Pairing> pairings);

  PeerStanding standing(const std::string& address, const std::string& fingerprint) const;
  /// The error for a node whose standing is `changed`: its fingerprint, the expected one, and what to do. bad_input.
  Error refusal(const std::string& address, const std::string& fingerprint) const;
  /// Remembers this node by this fingerprint; writes nothing if it is known already. Fails with io.
  Status remember(const std::string& address, const std::string& fingerprint);
  /// From the pairing file of the node with this fingerprint; empty if none was given.
  std::string token(const std::string& fingerprint) const;

 private:
  PeerTrust(KnownPeers known, std::vector<Pairing> pairings)
      : known_(std::move(known)), pairings_(std::move(pairings)) {}
  KnownPeers known_;
  std::vector<Pairing> pairings_;
};

/// A user's file of known peers: vqas/known-peers in XDG_CONFIG_HOME, else in .config of the home folder.
std::filesystem::path default_known_peers();

/// The first word of a token file. Fails with bad_input when the file is missing or empty.
Result<std::string> read_token_file(const std::filesystem::path& path);

/// A node's pairing file, which is JSON, or its token file, which holds one word. The file is read once. Fails as
/// read_pairing() and read_token_file().
Result<std::variant<Pairing, std::string>> read_access_file(const std::filesystem::path& path);

}  // namespace vqas
