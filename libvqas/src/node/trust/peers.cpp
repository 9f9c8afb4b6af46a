#include "vqas/node/peers.h"

#include <fmt/format.h>

#include <QEventLoop>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTimer>
#include <QUrl>
#include <fstream>
#include <sstream>
#include <system_error>

#include "node/controller/node_client.h"
#include "node/trust/node_identity.h"
#include "node/wire/node_archive.h"
#include "run/measurement_limits.h"
#include "signal/private_file.h"
#include "vqas/signal/input_file.h"

namespace vqas {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = 1U << 20U;
constexpr const char* kPairingSchema = "vqas-pairing/1";
constexpr const char* kPairingCure = "write one at the node with \"vqas node token add NAME --pairing FILE\"";
constexpr const char* kFingerprintPrefix = "sha256:";
constexpr std::size_t kFingerprintLength = 7 + 64;

}  // namespace

bool is_fingerprint(const std::string& text) {
  return text.size() == kFingerprintLength && text.starts_with(kFingerprintPrefix) &&
         text.find_first_not_of("0123456789abcdef", std::string(kFingerprintPrefix).size()) == std::string::npos;
}

Result<std::string> peer_fingerprint(const std::string& address, int timeout_ms) {
  const QUrl url(QString::fromStdString(address));
  QSslSocket socket;
  QSslConfiguration tls = socket.sslConfiguration();
  tls.setPeerVerifyMode(QSslSocket::QueryPeer);
  socket.setSslConfiguration(tls);
  QEventLoop loop;
  QObject::connect(&socket, &QSslSocket::encrypted, &loop, &QEventLoop::quit);
  QObject::connect(&socket, &QSslSocket::errorOccurred, &loop, &QEventLoop::quit);
  QTimer::singleShot(timeout_ms, &loop, &QEventLoop::quit);
  socket.connectToHostEncrypted(url.host(), static_cast<quint16>(url.port()));
  if (socket.state() != QAbstractSocket::UnconnectedState) loop.exec();
  if (socket.isEncrypted() && !socket.peerCertificate().isNull()) return fingerprint_of(socket.peerCertificate());
  const std::string why = socket.state() == QAbstractSocket::UnconnectedState ? socket.errorString().toStdString()
                                                                              : std::string("it does not answer");
  if (socket.error() == QAbstractSocket::ConnectionRefusedError)
    return Error{ErrorCode::line_lost, fmt::format("the node at {}: {}", address, kNothingListens)};
  return Error{ErrorCode::line_lost,
               fmt::format("the node at {}: {}; check that \"vqas node\" runs there and that its address begins "
                           "with wss://",
                           address, as_sentence_part(why))};
}

Result<KnownPeers> KnownPeers::read(const fs::path& path) {
  KnownPeers peers(path);
  std::error_code fault;
  if (!fs::exists(path, fault)) return peers;
  const auto text = read_whole_file(path, {"list of known peers", kMostBytes, "give another one with --known-peers"});
  if (!text) return text.error();
  std::istringstream file(*text);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string address, fingerprint;
    if (words >> address >> fingerprint && is_fingerprint(fingerprint)) peers.known_[address] = fingerprint;
  }
  return peers;
}

std::optional<std::string> KnownPeers::fingerprint(const std::string& address) const {
  const auto found = known_.find(address);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

Status KnownPeers::add(const std::string& address, const std::string& fingerprint) {
  std::error_code fault;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), fault);
  std::ofstream file(path_, std::ios::app);
  file << address << ' ' << fingerprint << std::endl;
  if (!file) return Error{ErrorCode::io, fmt::format("cannot write {}; check its rights", path_.string())};
  known_[address] = fingerprint;
  return success();
}

Status write_pairing(const fs::path& path, const Pairing& pairing) {
  const Json json = {{"schema", kPairingSchema},
                     {"address", pairing.address},
                     {"fingerprint", pairing.fingerprint},
                     {"token", pairing.token}};
  return write_private_file(path, json.dump(2) + "\n");
}

Result<Pairing> parse_pairing(const std::string& text, const std::string& name) {
  const auto json = parse_json_text(text, name);
  const auto word = [&json](const char* key) {
    const Json value = json && json->is_object() ? json->value(key, Json()) : Json();
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  const Pairing pairing{word("address"), word("fingerprint"), word("token")};
  if (word("schema") == kPairingSchema && is_fingerprint(pairing.fingerprint) && !pairing.token.empty()) return pairing;
  return Error{ErrorCode::bad_input, fmt::format("{} is not a pairing file; {}", name, kPairingCure)};
}

Result<Pairing> read_pairing(const fs::path& path) {
  const auto text = read_private_file(path, {"pairing file", kMostBytes, kPairingCure});
  return text ? parse_pairing(*text, path.string()) : text.error();
}

Result<std::string> add_node_token(const fs::path& data, const std::string& name) {
  return NodeTokens(data).add(name);
}

Result<std::string> renew_node_code(const fs::path& data, const std::string& name) {
  return NodeTokens(data).renew_code(name);
}

Status remove_node_token(const fs::path& data, const std::string& name) {
  return NodeTokens(data).remove(name);
}

Result<std::vector<std::string>> node_token_names(const fs::path& data) {
  return NodeTokens(data).names();
}

Result<std::string> node_fingerprint(const fs::path& data) {
  const auto identity = node_identity(data);
  if (!identity) return identity.error();
  return identity->fingerprint;
}

}  // namespace vqas
