#include "vqas/node/node.h"

#include <fmt/format.h>

#include <QHostAddress>
#include <QHostInfo>
#include <QTimer>
#include <QWebSocket>
#include <QWebSocketServer>
#include <charconv>
#include <map>
#include <optional>

#include "node/node_service.h"
#include "node/rpc.h"

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

struct Node::Engine {
  QWebSocketServer server{QStringLiteral("vqas node"), QWebSocketServer::NonSecureMode};
  std::map<int, QWebSocket*> sockets;
  int next_connection = 1;
  std::unique_ptr<NodeService> service;

  ~Engine() {
    service.reset();
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
               return service->call(connection, method, params);
             }));
      });
      QObject::connect(socket, &QWebSocket::binaryMessageReceived, socket,
                       [this, connection] { send(connection, rpc::respond("", nullptr)); });
      QObject::connect(socket, &QWebSocket::disconnected, socket, [this, connection, socket] {
        sockets.erase(connection);
        socket->deleteLater();
        service->disconnected(connection);
      });
    }
  }
};

Node::Node(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Node::~Node() = default;

Result<std::unique_ptr<Node>> Node::start(const NodeOptions& options) {
  const auto control = parse_control(options.control);
  if (!control) return control.error();
  auto engine = std::make_unique<Engine>();
  Engine* const raw = engine.get();
  if (!engine->server.listen(control->host, control->port)) {
    return Error{ErrorCode::io, fmt::format("--control {}: {}; choose another port, or 0 for a free one",
                                            options.control, engine->server.errorString().toStdString())};
  }
  auto service = NodeService::create(
      options, [raw](int connection, const std::string& message) { raw->send(connection, message); });
  if (!service) return service.error();
  engine->service = std::move(service).value();
  QObject::connect(&engine->server, &QWebSocketServer::newConnection, &engine->server, [raw] { raw->accept(); });
  return std::unique_ptr<Node>(new Node(std::move(engine)));
}

std::string Node::address() const {
  return engine_->server.serverUrl().toString().toStdString();
}

}  // namespace vqas
