#pragma once

#include <QSslCertificate>
#include <QSslKey>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vqas/signal/result.h"

namespace vqas {

/// What a node shows to whoever connects by TLS.
struct NodeIdentity {
  QSslKey key;
  QSslCertificate certificate;
  std::string fingerprint;  ///< fingerprint_of(certificate)
};

/// SHA-256 of the certificate, "sha256:" and 64 hexadecimal digits.
std::string fingerprint_of(const QSslCertificate& certificate);

/// Reads tls-key.pem and tls-certificate.pem in `folder`; makes both when there is neither: a key on the curve P-256,
/// readable by its owner alone, and a certificate signed by itself for 30 years. Fails with io, and with bad_input when
/// one of the two is missing or damaged, or others can read the key.
Result<NodeIdentity> node_identity(const std::filesystem::path& folder);

/// The names of who may command a node, each with a digest of its token: tokens.json in the node's data folder. Every
/// call reads the file, so that a node at work knows a token at once; a file that others can read or write is refused
/// (bad_input). For one process at a time; re-entrant.
class NodeTokens {
 public:
  explicit NodeTokens(std::filesystem::path folder);
  /// Makes a token of 256 random bits and gives it; it cannot be had again. Fails with bad_input when the name is taken
  /// or none (1 to 64 letters, digits, '-', '_'), and with io.
  Result<std::string> add(const std::string& name) const;
  /// Fails with bad_input when there is no such name, and with io.
  Status remove(const std::string& name) const;
  Result<std::vector<std::string>> names() const;
  /// Whose token this is; nothing for a wrong one or a file that cannot be read. Takes the same time for every wrong
  /// one.
  std::optional<std::string> owner(const std::string& token) const;

 private:
  const std::filesystem::path path_;
};

}  // namespace vqas
