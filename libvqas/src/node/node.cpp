#include "vqas/node/node.h"

#include <fmt/format.h>

#include <QHostAddress>
#include <charconv>

#include "node/control_server.h"
#include "node/node_service.h"

namespace vqas {
namespace {

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
  std::unique_ptr<NodeService> service;
  ControlServer server{{
      [this](int connection, const std::string& method, const Json& params) {
        return service->call(connection, method, params);
      },
      [this](int connection) { service->disconnected(connection); },
      [this](int connection) { return service->held_by(connection); },
  }};
};

Node::Node(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Node::~Node() = default;

Result<std::unique_ptr<Node>> Node::start(const NodeOptions& options) {
  const auto control = parse_control(options.control);
  if (!control) return control.error();
  auto engine = std::make_unique<Engine>();
  Engine* const raw = engine.get();
  auto service = NodeService::create(
      options, [raw](int connection, const std::string& message) { raw->server.send(connection, message); });
  if (!service) return service.error();
  engine->service = std::move(service).value();
  // Last of all: who connects is answered.
  if (const Status listening = engine->server.listen(control->host, control->port); !listening) {
    return Error{ErrorCode::io, fmt::format("--control {}: {}; choose another port, or 0 for a free one",
                                            options.control, listening.error().message)};
  }
  return std::unique_ptr<Node>(new Node(std::move(engine)));
}

std::string Node::address() const {
  return engine_->server.address();
}

}  // namespace vqas
