#pragma once

#include <QSslCertificate>
#include <QSslKey>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// The key and certificate of a node for TLS.
struct NodeIdentity {
  QSslKey key;
  QSslCertificate certificate;
  std::string fingerprint;  ///< fingerprint_of(certificate)
};

/// SHA-256 of the certificate, "sha256:" and 64 hexadecimal digits.
std::string fingerprint_of(const QSslCertificate& certificate);

/// Reads tls-key.pem and tls-certificate.pem in `folder`. Creates both if neither exists: a P-256 key, readable only by
/// its owner, and a self-signed certificate valid for 30 years. Fails with io, and with bad_input when one of the two
/// is missing or damaged, or others can read the key.
Result<NodeIdentity> node_identity(const std::filesystem::path& folder);

/// The names of the users that may command a node, each with a digest of its token: tokens.json in the node's data
/// folder. Every call reads the file, so a running node knows a new token immediately; a file that others can read or
/// write is refused (bad_input). For one process at a time; re-entrant.
class NodeTokens {
 public:
  explicit NodeTokens(std::filesystem::path folder);
  /// Creates a token of 256 random bits and returns it; it cannot be shown again. Fails with bad_input when the name is
  /// in use or invalid (1 to 64 letters, digits, '-', '_'), and with io.
  Result<std::string> add(const std::string& name) const;
  /// Gives `name` a code of new_spoken_code() as its token, in place of the one it had. Fails as add() does.
  Result<std::string> renew_code(const std::string& name) const;
  /// Fails with bad_input when the name does not exist, and with io.
  Status remove(const std::string& name) const;
  Result<std::vector<std::string>> names() const;
  /// The owner of this token; nothing for a wrong one or an unreadable file. Takes the same time for every wrong token.
  std::optional<std::string> owner(const std::string& token) const;

 private:
  Status keep(const std::string& name, const std::string& token, bool replaces) const;
  const std::filesystem::path path_;
};

}  // namespace vqas
