#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// The fingerprint, "sha256:…", of the certificate at `address` ("wss://HOST:PORT"). Does not show whether it can be
/// trusted. Needs a Qt application, and waits at most `timeout_ms`, in its own event loop. Fails with line_lost.
Result<std::string> peer_fingerprint(const std::string& address, int timeout_ms = 60000);

/// The peers trusted before, by address: a text file with a line "wss://HOST:PORT sha256:…" for each, like known_hosts
/// of SSH. For one thread.
class KnownPeers {
 public:
  /// A missing file has no peers. Invalid lines are kept and ignored. Fails with io.
  static Result<KnownPeers> read(const std::filesystem::path& path);
  std::optional<std::string> fingerprint(const std::string& address) const;  ///< nothing if it is not known
  /// Adds a line to the file, which is created with its folder if missing. Fails with io.
  Status add(const std::string& address, const std::string& fingerprint);

 private:
  explicit KnownPeers(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
  std::map<std::string, std::string> known_;
};

/// What a controller needs to connect to a node: written at the node, transferred by a safe way, read at the
/// controller.
struct Pairing {
  std::string address;      ///< "wss://HOST:PORT", as the controller reaches it
  std::string fingerprint;  ///< "sha256:…"
  std::string token;
};
/// Writes a file that only its owner can read. Fails with io.
Status write_pairing(const std::filesystem::path& path, const Pairing& pairing);
/// Fails with bad_input, naming the file; also if others can read it.
Result<Pairing> read_pairing(const std::filesystem::path& path);
/// The same for the text of the file `name`.
Result<Pairing> parse_pairing(const std::string& text, const std::string& name);

/// Whether this is a fingerprint, "sha256:" and 64 hexadecimal digits in lower case.
bool is_fingerprint(const std::string& text);

// The work of `vqas node token`, in the data folder of a node; see NodeTokens for the errors.
Result<std::string> add_node_token(const std::filesystem::path& data, const std::string& name);
/// A token that can be read out (vqas/node/spoken_words.h), in place of the one that `name` had.
Result<std::string> renew_node_code(const std::filesystem::path& data, const std::string& name);
Status remove_node_token(const std::filesystem::path& data, const std::string& name);
Result<std::vector<std::string>> node_token_names(const std::filesystem::path& data);
/// Of the node's certificate, which is created if missing.
Result<std::string> node_fingerprint(const std::filesystem::path& data);

/// Asks the node that uses this data folder on this machine to end its holder's session. Fails with bad_input when none
/// runs there, with io when the system refuses.
Status release_node(const std::filesystem::path& data);

}  // namespace vqas
