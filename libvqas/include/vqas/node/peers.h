#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// The certificate's fingerprint, "sha256:…", of whoever answers at `address` ("wss://HOST:PORT"). Says nothing of
/// whether it can be trusted. Needs a Qt application, and waits for `timeout_ms` at most, in a loop of events of its
/// own. Fails with line_lost.
Result<std::string> peer_fingerprint(const std::string& address, int timeout_ms = 60000);

/// What peers were trusted before, by address: a text file, a line "wss://HOST:PORT sha256:…" for each, as known_hosts
/// is for SSH. For one thread.
class KnownPeers {
 public:
  /// A file that is not there knows nobody. Lines that are none are kept and mean nothing. Fails with io.
  static Result<KnownPeers> read(const std::filesystem::path& path);
  std::optional<std::string> fingerprint(const std::string& address) const;
  /// Adds a line to the file, made with its folder when it is not there. Fails with io.
  Status add(const std::string& address, const std::string& fingerprint);

 private:
  explicit KnownPeers(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
  std::map<std::string, std::string> known_;
};

/// Whether a file that holds a secret is its owner's alone, as ssh demands of a key; one that is not there is, too.
/// Fails with bad_input, naming the cure.
Status check_private_file(const std::filesystem::path& path);

/// What a node hands to a controller to let it in: written there, carried over by a safe way, read here.
struct Pairing {
  std::string address;      ///< "wss://HOST:PORT", as the controller reaches it
  std::string fingerprint;  ///< "sha256:…"
  std::string token;
};
/// Writes a file that only its owner can read. Fails with io.
Status write_pairing(const std::filesystem::path& path, const Pairing& pairing);
/// Fails with bad_input, naming the file; also where others can read it.
Result<Pairing> read_pairing(const std::filesystem::path& path);

/// Whether this is a fingerprint, "sha256:" and 64 hexadecimal digits in lower case.
bool is_fingerprint(const std::string& text);

// What `vqas node token` does, in the data folder of a node; see NodeTokens for the errors.
Result<std::string> add_node_token(const std::filesystem::path& data, const std::string& name);
Status remove_node_token(const std::filesystem::path& data, const std::string& name);
Result<std::vector<std::string>> node_token_names(const std::filesystem::path& data);
/// Of the node's certificate, which is made when there is none yet.
Result<std::string> node_fingerprint(const std::filesystem::path& data);

/// Asks the node that runs in this data folder, on this machine, to take itself back from whoever holds it. Fails with
/// bad_input when none runs there, with io when the system does not let us.
Status release_node(const std::filesystem::path& data);

}  // namespace vqas
