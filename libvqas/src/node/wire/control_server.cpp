#include "node/wire/control_server.h"

#include <fmt/format.h>

#include <QUrl>
#include <QWebSocket>
#include <QWebSocketCorsAuthenticator>
#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "run/measurement_limits.h"
#include "vqas/node/machine_hosts.h"
namespace vqas {
namespace {

// A longer message ends the connection; one between this and rpc::kLongestMessage is answered with an error.
constexpr quint64 kHardLimit = 4 * 1024 * 1024;
constexpr quint64 kLongestOfAStranger = 4096;
constexpr std::chrono::milliseconds kLongestLook{1000};
constexpr std::size_t kMostAddresses = 1000;
constexpr qsizetype kLongestToldOrigin = 200;

}  // namespace

// Compared byte for byte, so an origin that no browser writes would never match. "null" is available to every page, in
// a sandboxed frame; "*" would be all pages.
Status check_origins(const std::vector<std::string>& origins) {
  for (const std::string& one : origins) {
    const QUrl url(QString::fromStdString(one), QUrl::StrictMode);
    const bool site = url.isValid() && !url.host().isEmpty() && url.path().isEmpty() && !url.hasQuery() &&
                      !url.hasFragment() && url.userInfo().isEmpty();
    const bool usual_port = url.port() == (url.scheme() == QStringLiteral("http") ? 80 : 443);  // left out by browsers
    if (site && !usual_port && url.toString(QUrl::FullyEncoded).toStdString() == one) continue;
    return Error{ErrorCode::bad_input,
                 fmt::format("--allow-origin {}: give the address of one site without a path, as a browser writes it, "
                             "like https://bench.example:8443",
                             one)};
  }
  return success();
}

Result<ControlAddress> parse_listen_address(const std::string& option, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  ControlAddress address;
  const char* const last = text.data() + text.size();
  const bool complete = colon != std::string::npos && colon + 1 < text.size();
  const auto read = complete ? std::from_chars(text.data() + colon + 1, last, address.port) : std::from_chars_result{};
  std::string host = text.substr(0, complete ? colon : 0);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  address.host =
      host == "localhost" ? QHostAddress(QHostAddress::LocalHost) : QHostAddress(QString::fromStdString(host));
  if (complete && read.ec == std::errc() && read.ptr == last && !address.host.isNull()) return address;
  return Error{ErrorCode::bad_input, fmt::format("{} {}: give HOST:PORT with an address of this machine, for example "
                                                 "127.0.0.1:7811, or port 0 for a free one",
                                                 option, text)};
}

Status check_control_address(const std::string& control) {
  const auto address = parse_listen_address("--control", control);
  if (!address) return address.error();
  if (address->host.isLoopback()) return success();
  return Error{
      ErrorCode::bad_input,
      fmt::format("--control {}: this control socket listens on loopback only (127.0.0.1 or [::1]), because it is "
                  "not encrypted; reach it from another machine through a tunnel, for example ssh -L",
                  control)};
}

ControlServer::ControlServer(Callbacks callbacks, const ControlLimits& limits, ControlSecurity security,
                             const std::string& name)
    : callbacks_(std::move(callbacks)),
      limits_(limits),
      security_(std::move(security)),
      door_({[this](QTcpSocket* socket) { server_.handleConnection(socket); },
             [this](const char* reason, const QHostAddress& from) { refuse(reason, from); },
             [this](const QHostAddress& from) { return known_.contains(network_of(from)); },
             [this](const QHostAddress& from, quint16 port) { refuse_unmasked(from, port); }},
            security_.tls, limits_.door),
      server_(QString::fromStdString(name),
              security_.tls ? QWebSocketServer::SecureMode : QWebSocketServer::NonSecureMode) {
  QObject::connect(&server_, &QWebSocketServer::newConnection, &server_, [this] { accept(); });
  QObject::connect(&server_, &QWebSocketServer::originAuthenticationRequired, &server_,
                   [this](QWebSocketCorsAuthenticator* page) { page->setAllowed(lets_in(page->origin())); });
  QObject::connect(&looks_, &QTimer::timeout, &server_, [this] { look(); });
  looks_.start(std::min({kLongestLook, limits_.first_request / 4, limits_.idle / 4}));
}

ControlServer::~ControlServer() {
  door_.close();
  for (auto& [number, peer] : peers_) {
    peer.socket->disconnect();
    delete peer.socket;
  }
}

Status ControlServer::listen(const QHostAddress& host, quint16 port) {
  if (door_.listen(host, port)) return success();
  return Error{ErrorCode::io, door_.errorString().toStdString()};
}

Status ControlServer::listen(const std::string& control) {
  if (Status possible = check_control_address(control); !possible) return possible;
  const auto address = parse_listen_address("--control", control);
  const Status listening = listen(address->host, address->port);
  if (listening) return success();
  return Error{ErrorCode::io, fmt::format("--control {}: {}; choose another port, or 0 for a free one", control,
                                          listening.error().message)};
}

std::string ControlServer::address() const {
  QUrl url;
  url.setScheme(security_.tls ? QStringLiteral("wss") : QStringLiteral("ws"));
  const QHostAddress host = door_.serverAddress();
  const bool everywhere = host == QHostAddress::Any || host == QHostAddress::AnyIPv4 || host == QHostAddress::AnyIPv6;
  const auto own = everywhere ? machine_hosts() : std::vector<std::string>();
  url.setHost(own.empty() ? (everywhere ? QHostAddress(QHostAddress::LocalHost) : host).toString()
                          : QString::fromStdString(own.front()));
  url.setPort(door_.serverPort());
  return url.toString().toStdString();
}

void ControlServer::send(int connection, const std::string& message) {
  const auto found = peers_.find(connection);
  if (found == peers_.end() || message.empty()) return;
  found->second.socket->sendTextMessage(QString::fromStdString(message));
}

// Opening a page in a browser must not let that page command a node. The Host header does not help here: a page whose
// name resolves to this machine (DNS rebinding) still sends its own name as its origin.
bool ControlServer::lets_in(const QString& origin) {
  if (origin.isEmpty() || std::ranges::find(security_.origins, origin.toStdString()) != security_.origins.end())
    return true;
  const bool can_be_allowed = static_cast<bool>(check_origins({origin.toStdString()}));
  refuse("a web page", door_.speaking(),
         as_plain_text(origin.left(kLongestToldOrigin).toStdString()) +
             (can_be_allowed ? "; --allow-origin would let it in" : ""));
  return false;
}

void ControlServer::refuse_unmasked(const QHostAddress& from, quint16 port) {
  const auto found = std::ranges::find_if(
      peers_, [&](const auto& one) { return one.second.socket->peerPort() == port && one.second.from == from; });
  if (found == peers_.end()) return;
  refuse("unmasked frame", from);
  dismiss(found->first, "a client must mask its frames", QWebSocketProtocol::CloseCodeProtocolError);
}

void ControlServer::accept() {
  while (QWebSocket* const socket = server_.nextPendingConnection()) {
    door_.admitted(socket->peerAddress(), socket->peerPort());
    const bool out = shut_out(socket->peerAddress());
    if (!out && make_room(socket->peerAddress())) {
      adopt(socket);
      continue;
    }
    refuse(out ? "shut out for wrong tokens" : "too many connections", socket->peerAddress());
    socket->close(QWebSocketProtocol::CloseCodePolicyViolated,
                  out ? QStringLiteral("too many wrong tokens") : QStringLiteral("too many connections"));
    socket->deleteLater();
  }
}

// A client cannot lock others out by staying connected. An idle client is disconnected, or one without a valid request
// if these fill their places: from the network with the most connections, the one whose last request is oldest. Nor can
// it lock others out by connecting often: each client keeps its place for limits_.stay, and only a known newcomer may
// displace an unknown client earlier. The holder of the session stays, and can always return.
bool ControlServer::make_room(const QHostAddress& newcomer) {
  if (peers_.size() < limits_.connections) return true;
  const bool known = known_.contains(network_of(newcomer));
  const auto now = Clock::now();
  std::vector<int> strangers, idle;
  std::size_t all_strangers = 0;
  for (const auto& [connection, peer] : peers_) {
    if (callbacks_.has_session(connection)) continue;
    if (!peer.lawful) ++all_strangers;
    const bool may_stay = now - peer.asked < limits_.stay && (!known || known_.contains(network_of(peer.from)));
    if (!may_stay) (peer.lawful ? idle : strangers).push_back(connection);
  }
  const bool strangers_first = all_strangers >= limits_.newcomers && !strangers.empty();
  const std::vector<int>& leaving = idle.empty() || strangers_first ? strangers : idle;
  if (leaving.empty()) return false;
  std::map<QString, std::size_t> by_network;
  for (const int connection : leaving) ++by_network[network_of(peers_.at(connection).from)];
  const auto last = [&](int connection) {
    const Peer& peer = peers_.at(connection);
    return std::pair(-static_cast<std::ptrdiff_t>(by_network.at(network_of(peer.from))), peer.asked);
  };
  send_away(*std::ranges::min_element(leaving, {}, last), "the place is needed for other clients");
  return true;
}

void ControlServer::remember(int connection, const Peer& peer) {
  if (!callbacks_.has_session(connection) && !(security_.authorise && peer.authorised)) return;
  known_[network_of(peer.from)] = Clock::now();
  if (known_.size() <= kMostAddresses) return;
  known_.erase(std::ranges::min_element(known_, {}, [](const auto& one) { return one.second; }));
}

void ControlServer::adopt(QWebSocket* socket) {
  const int connection = next_++;
  Peer& peer = peers_[connection];
  peer.socket = socket;
  peer.heard = peer.asked = peer.counted = Clock::now();
  peer.from = socket->peerAddress();
  peer.authorised = !security_.authorise;
  peer.allowance = limits_.messages_at_once;
  const quint64 longest = peer.authorised ? kHardLimit : kLongestOfAStranger;
  socket->setMaxAllowedIncomingMessageSize(longest);
  socket->setMaxAllowedIncomingFrameSize(longest);
  QObject::connect(socket, &QWebSocket::textMessageReceived, socket,
                   [this, connection](const QString& text) { take(connection, text.toStdString()); });
  // Binary messages hold no request; the answer reports that.
  QObject::connect(socket, &QWebSocket::binaryMessageReceived, socket, [this, connection] { take(connection, {}); });
  QObject::connect(socket, &QWebSocket::bytesWritten, socket, [this, connection] { answer_waiting(connection); });
  QObject::connect(socket, &QWebSocket::pong, socket, [this, connection] {
    const auto found = peers_.find(connection);
    if (found == peers_.end()) return;
    found->second.heard = Clock::now();
    if (callbacks_.heard) callbacks_.heard(connection);
  });
  QObject::connect(socket, &QWebSocket::disconnected, socket, [this, connection, socket] {
    const auto found = peers_.find(connection);
    if (found == peers_.end()) return;
    if (socket->closeCode() == QWebSocketProtocol::CloseCodeTooMuchData)
      refuse("oversized message", found->second.from);
    peers_.erase(found);
    socket->deleteLater();
    callbacks_.disconnected(connection);
  });
}

// A token bucket of messages, refilled with time.
bool ControlServer::within_rate(int connection, Peer& peer) {
  if (callbacks_.has_session(connection)) return true;
  const auto now = Clock::now();
  const double passed_s = std::chrono::duration<double>(now - peer.counted).count();
  peer.counted = now;
  peer.allowance = std::min(peer.allowance + passed_s * limits_.messages_per_s, limits_.messages_at_once);
  peer.allowance -= 1;
  return peer.allowance >= 0;
}

void ControlServer::take(int connection, std::string message) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  if (!within_rate(connection, found->second)) return send_away(connection, "it sends too many messages");
  found->second.requests.push_back(std::move(message));
  if (found->second.requests.size() > limits_.most_waiting)
    return send_away(connection, "it does not read its answers");
  answer_waiting(connection);
}

bool ControlServer::shut_out(const QHostAddress& from) {
  const auto found = wrong_tokens_.find(network_of(from));
  if (found == wrong_tokens_.end()) return false;
  if (Clock::now() - found->second.since >= limits_.token_window) {
    wrong_tokens_.erase(found);
    return false;
  }
  return found->second.count >= limits_.wrong_tokens;
}

rpc::Answer ControlServer::take_token(Peer& peer, const Json& params) {
  const Json token = params.value("token", Json());
  if (!token.is_string()) return rpc::Answer::failed(rpc::kInvalidParams, "\"token\" must be a string");
  // On loopback every client may connect.
  const auto owner = security_.authorise ? security_.authorise(token.get<std::string>()) : std::string();
  if (owner) {
    peer.authorised = true;
    peer.socket->setMaxAllowedIncomingMessageSize(kHardLimit);
    peer.socket->setMaxAllowedIncomingFrameSize(kHardLimit);
    return {{{"name", *owner}}, std::nullopt};
  }
  Count& wrong = wrong_tokens_[network_of(peer.from)];
  if (wrong.count++ == 0) wrong.since = Clock::now();
  // Limits what a client with many addresses can fill.
  if (wrong_tokens_.size() > kMostAddresses) wrong_tokens_.erase(wrong_tokens_.begin());
  refuse("wrong token", peer.from);
  return rpc::Answer::failed(rpc::kNoToken,
                             "this token is not valid for this node; make one there with \"vqas node token add\"");
}

rpc::Answer ControlServer::call(int connection, const std::string& method, const Json& params) {
  Peer& peer = peers_.at(connection);
  if (method == "auth.token") return take_token(peer, params);
  if (peer.authorised) return callbacks_.call(connection, method, params);
  refuse("no token", peer.from);
  return rpc::Answer::failed(rpc::kNoToken, "this node requires a token; send it by auth.token first");
}

void ControlServer::refuse(const char* reason, const QHostAddress& from, const std::string& detail) {
  ++refused_[reason];
  if (!callbacks_.log) return;
  const auto now = Clock::now();
  if (logged_.count == 0 || now - logged_.since >= limits_.log_window) {
    if (unlogged_ > 0) callbacks_.log(fmt::format("{} more were refused", std::exchange(unlogged_, 0)));
    logged_ = {0, now};
  }
  if (logged_.count >= limits_.log_lines) {
    ++unlogged_;
    return;
  }
  ++logged_.count;
  callbacks_.log(fmt::format("refused {}: {}{}", from.toString().toStdString(), reason,
                             detail.empty() ? "" : " (" + detail + ")"));
}

void ControlServer::answer_waiting(int connection) {
  for (;;) {
    const auto found = peers_.find(connection);
    if (found == peers_.end() || found->second.requests.empty()) return;
    if (found->second.socket->bytesToWrite() > limits_.pause_bytes) return;
    const std::string message = std::move(found->second.requests.front());
    found->second.requests.pop_front();
    answer(connection, message);
  }
}

void ControlServer::answer(int connection, const std::string& message) {
  bool lawful = false, called = false;
  int fault = 0;
  const std::string said = rpc::respond(message, [&](const std::string& method, const Json& params) {
    rpc::Answer given = call(connection, method, params);
    called = true;
    lawful = !given.fault;
    fault = given.fault ? given.fault->code : 0;
    return given;
  });
  send(connection, said);
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  if (!called)
    refuse(message.size() > rpc::kLongestMessage ? "oversized message" : "malformed message", found->second.from);
  if (fault == rpc::kNoToken) return dismiss(connection, "it has no token");  // already logged
  if (!lawful) return;
  found->second.lawful = true;
  remember(connection, found->second);
  found->second.heard = found->second.asked = Clock::now();
  if (callbacks_.heard) callbacks_.heard(connection);
}

void ControlServer::look() {
  const auto now = Clock::now();
  std::vector<std::pair<int, const char*>> leaving;
  for (auto& [connection, peer] : peers_) {
    if (peer.socket->bytesToWrite() > limits_.most_bytes) {
      leaving.emplace_back(connection, "it does not read its messages");
    } else if (!peer.lawful && now - peer.heard >= limits_.first_request) {
      leaving.emplace_back(connection, "it sent no valid request in time");
    } else if (peer.lawful && now - peer.heard >= limits_.idle && !callbacks_.has_session(connection)) {
      leaving.emplace_back(connection, "it is silent and holds no session");
    } else if (peer.lawful) {
      peer.socket->ping();
    }
  }
  for (const auto& [connection, why] : leaving) send_away(connection, why);
}

// Immediately: a client that does not read would not complete a closing handshake.
void ControlServer::send_away(int connection, const char* why) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  refuse("sent away", found->second.from, why);
  dismiss(connection, why);
}

void ControlServer::dismiss(int connection, const char* why, QWebSocketProtocol::CloseCode code) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  QWebSocket* const socket = found->second.socket;
  peers_.erase(found);
  socket->disconnect();
  socket->close(code, QString::fromLatin1(why));
  socket->deleteLater();
  callbacks_.disconnected(connection);
}

}  // namespace vqas
