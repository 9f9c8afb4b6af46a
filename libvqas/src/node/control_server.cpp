#include "node/control_server.h"

#include <QWebSocket>
#include <algorithm>
#include <utility>
#include <vector>

namespace vqas {
namespace {

// A longer message ends the connection; one between this and rpc::kLongestMessage gets an answer that says so.
constexpr quint64 kHardLimit = 4 * 1024 * 1024;
constexpr std::chrono::milliseconds kLongestLook{1000};

}  // namespace

ControlServer::ControlServer(Callbacks callbacks, const ControlLimits& limits)
    : callbacks_(std::move(callbacks)),
      limits_(limits),
      server_(QStringLiteral("vqas node"), QWebSocketServer::NonSecureMode) {
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
