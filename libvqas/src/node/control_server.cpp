#include "node/control_server.h"

#include <fmt/format.h>

#include <QWebSocket>
#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace vqas {
namespace {

// A longer message ends the connection; one between this and rpc::kLongestMessage gets an answer that says so.
constexpr quint64 kHardLimit = 4 * 1024 * 1024;
constexpr std::chrono::milliseconds kLongestLook{1000};

struct ControlAddress {
  QHostAddress host;
  quint16 port = 0;
};

Result<ControlAddress> parse_control(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  ControlAddress address;
  const char* const last = text.data() + text.size();
  const bool complete = colon != std::string::npos && colon + 1 < text.size();
  const auto read = complete ? std::from_chars(text.data() + colon + 1, last, address.port) : std::from_chars_result{};
  const bool numbered = complete && read.ec == std::errc() && read.ptr == last;
  if (!numbered) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("--control {}: give HOST:PORT, for example 127.0.0.1:7811, or port 0 for a free one", text)};
  }
  std::string host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  address.host =
      host == "localhost" ? QHostAddress(QHostAddress::LocalHost) : QHostAddress(QString::fromStdString(host));
  if (!address.host.isLoopback()) {
    return Error{ErrorCode::bad_input,
                 fmt::format("--control {}: control sockets listen on loopback only (127.0.0.1 or [::1]), because they "
                             "are not encrypted; reach a node on another machine through a tunnel, for example ssh -L",
                             text)};
  }
  return address;
}

}  // namespace

Status check_control_address(const std::string& control) {
  const auto address = parse_control(control);
  if (!address) return address.error();
  return success();
}

ControlServer::ControlServer(Callbacks callbacks, const ControlLimits& limits, const std::string& name)
    : callbacks_(std::move(callbacks)),
      limits_(limits),
      server_(QString::fromStdString(name), QWebSocketServer::NonSecureMode) {
  QObject::connect(&looks_, &QTimer::timeout, &server_, [this] { look(); });
  looks_.start(std::min({kLongestLook, limits_.first_request / 4, limits_.idle / 4}));
}

ControlServer::~ControlServer() {
  server_.close();
  for (auto& [number, peer] : peers_) {
    peer.socket->disconnect();
    delete peer.socket;
  }
}

Status ControlServer::listen(const QHostAddress& host, quint16 port) {
  QObject::connect(&server_, &QWebSocketServer::newConnection, &server_, [this] { accept(); });
  if (server_.listen(host, port)) return success();
  return Error{ErrorCode::io, server_.errorString().toStdString()};
}

Status ControlServer::listen(const std::string& control) {
  const auto address = parse_control(control);
  if (!address) return address.error();
  const Status listening = listen(address->host, address->port);
  if (listening) return success();
  return Error{ErrorCode::io, fmt::format("--control {}: {}; choose another port, or 0 for a free one", control,
                                          listening.error().message)};
}

std::string ControlServer::address() const {
  return server_.serverUrl().toString().toStdString();
}

void ControlServer::send(int connection, const std::string& message) {
  const auto found = peers_.find(connection);
  if (found == peers_.end() || message.empty()) return;
  found->second.socket->sendTextMessage(QString::fromStdString(message));
}

void ControlServer::accept() {
  while (QWebSocket* const socket = server_.nextPendingConnection()) {
    if (peers_.size() >= limits_.connections) {
      socket->close(QWebSocketProtocol::CloseCodePolicyViolated, QStringLiteral("too many connections"));
      socket->deleteLater();
      continue;
    }
    const int connection = next_++;
    peers_[connection] = Peer{socket, Clock::now(), false, {}};
    socket->setMaxAllowedIncomingMessageSize(kHardLimit);
    socket->setMaxAllowedIncomingFrameSize(kHardLimit);
    QObject::connect(socket, &QWebSocket::textMessageReceived, socket,
                     [this, connection](const QString& text) { take(connection, text.toStdString()); });
    // Binary messages hold no request; the answer says so.
    QObject::connect(socket, &QWebSocket::binaryMessageReceived, socket, [this, connection] { take(connection, {}); });
    QObject::connect(socket, &QWebSocket::bytesWritten, socket, [this, connection] { answer_waiting(connection); });
    QObject::connect(socket, &QWebSocket::pong, socket, [this, connection] {
      const auto found = peers_.find(connection);
      if (found != peers_.end()) found->second.heard = Clock::now();
    });
    QObject::connect(socket, &QWebSocket::disconnected, socket, [this, connection, socket] {
      if (peers_.erase(connection) == 0) return;
      socket->deleteLater();
      callbacks_.disconnected(connection);
    });
  }
}

void ControlServer::take(int connection, std::string message) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  found->second.requests.push_back(std::move(message));
  if (found->second.requests.size() > limits_.most_waiting)
    return send_away(connection, "it does not read its answers");
  answer_waiting(connection);
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
  bool lawful = false;
  send(connection, rpc::respond(message, [&](const std::string& method, const Json& params) {
         rpc::Answer given = callbacks_.call(connection, method, params);
         lawful = !given.fault;
         return given;
       }));
  const auto found = peers_.find(connection);
  if (found == peers_.end() || !lawful) return;
  found->second.lawful = true;
  found->second.heard = Clock::now();
}

void ControlServer::look() {
  const auto now = Clock::now();
  std::vector<std::pair<int, const char*>> leaving;
  for (auto& [connection, peer] : peers_) {
    if (peer.socket->bytesToWrite() > limits_.most_bytes) {
      leaving.emplace_back(connection, "it does not read what is sent");
    } else if (!peer.lawful && now - peer.heard >= limits_.first_request) {
      leaving.emplace_back(connection, "nothing lawful came in time");
    } else if (peer.lawful && now - peer.heard >= limits_.idle && !callbacks_.has_session(connection)) {
      leaving.emplace_back(connection, "it is silent and holds no session");
    } else if (peer.lawful) {
      peer.socket->ping();
    }
  }
  for (const auto& [connection, why] : leaving) send_away(connection, why);
}

// At once: who does not read would not take part in a polite goodbye.
void ControlServer::send_away(int connection, const char* why) {
  const auto found = peers_.find(connection);
  if (found == peers_.end()) return;
  QWebSocket* const socket = found->second.socket;
  peers_.erase(found);
  socket->disconnect();
  socket->close(QWebSocketProtocol::CloseCodePolicyViolated, QString::fromLatin1(why));
  socket->deleteLater();
  callbacks_.disconnected(connection);
}

}  // namespace vqas
