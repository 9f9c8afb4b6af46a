#include "node/control_server.h"

#include <fmt/format.h>

#include <QHostAddress>
#include <QWebSocket>
#include <QWebSocketServer>
#include <charconv>
#include <map>

namespace vqas {
namespace {

// A longer message ends the connection; one between this and rpc::kLongestMessage gets an answer that says so.
constexpr quint64 kHardLimit = 4 * 1024 * 1024;
constexpr std::size_t kMostConnections = 16;

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

struct ControlServer::Engine {
  QWebSocketServer server;
  Events events;
  std::map<int, QWebSocket*> sockets;
  int next_connection = 1;

  Engine(const std::string& name, Events given)
      : server(QString::fromStdString(name), QWebSocketServer::NonSecureMode), events(std::move(given)) {}
  ~Engine() {
    server.close();
    for (auto& [number, socket] : sockets) {
      socket->disconnect();
      delete socket;
    }
  }

  void send(int connection, const std::string& message) {
    const auto found = sockets.find(connection);
    if (found != sockets.end() && !message.empty()) found->second->sendTextMessage(QString::fromStdString(message));
  }

  void accept() {
    while (QWebSocket* const socket = server.nextPendingConnection()) {
      if (sockets.size() >= kMostConnections) {
        socket->close(QWebSocketProtocol::CloseCodePolicyViolated, QStringLiteral("too many connections"));
        socket->deleteLater();
        continue;
      }
      const int connection = next_connection++;
      sockets[connection] = socket;
      socket->setMaxAllowedIncomingMessageSize(kHardLimit);
      socket->setMaxAllowedIncomingFrameSize(kHardLimit);
      QObject::connect(socket, &QWebSocket::textMessageReceived, socket, [this, connection](const QString& text) {
        send(connection, rpc::respond(text.toStdString(), [&](const std::string& method, const Json& params) {
               return events.call(connection, method, params);
             }));
      });
      QObject::connect(socket, &QWebSocket::binaryMessageReceived, socket,
                       [this, connection] { send(connection, rpc::respond("", nullptr)); });
      QObject::connect(socket, &QWebSocket::disconnected, socket, [this, connection, socket] {
        sockets.erase(connection);
        socket->deleteLater();
        if (events.disconnected) events.disconnected(connection);
      });
    }
  }
};

ControlServer::ControlServer(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
ControlServer::~ControlServer() = default;

Result<std::unique_ptr<ControlServer>> ControlServer::listen(const std::string& address, const std::string& name,
                                                             Events events) {
  const auto control = parse_control(address);
  if (!control) return control.error();
  auto engine = std::make_unique<Engine>(name, std::move(events));
  Engine* const raw = engine.get();
  if (!engine->server.listen(control->host, control->port)) {
    return Error{ErrorCode::io, fmt::format("--control {}: {}; choose another port, or 0 for a free one", address,
                                            engine->server.errorString().toStdString())};
  }
  QObject::connect(&engine->server, &QWebSocketServer::newConnection, &engine->server, [raw] { raw->accept(); });
  return std::unique_ptr<ControlServer>(new ControlServer(std::move(engine)));
}

void ControlServer::send(int connection, const std::string& message) {
  engine_->send(connection, message);
}

std::string ControlServer::address() const {
  return engine_->server.serverUrl().toString().toStdString();
}

}  // namespace vqas
