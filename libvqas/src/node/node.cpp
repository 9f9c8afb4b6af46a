#include "vqas/node/node.h"

#include "node/control_server.h"
#include "node/node_service.h"

namespace vqas {

struct Node::Engine {
  // The service goes first: it may tell its connections something to the last.
  std::unique_ptr<ControlServer> server;
  std::unique_ptr<NodeService> service;
};

Node::Node(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Node::~Node() = default;

Result<std::unique_ptr<Node>> Node::start(const NodeOptions& options) {
  auto engine = std::make_unique<Engine>();
  Engine* const raw = engine.get();
  // Connections wait for the event loop, so no call comes before there is a service.
  auto server = ControlServer::listen(
      options.control, "vqas node",
      {.call = [raw](int connection, const std::string& method,
                     const Json& params) { return raw->service->call(connection, method, params); },
       .disconnected = [raw](int connection) { raw->service->disconnected(connection); }});
  if (!server) return server.error();
  engine->server = std::move(server).value();
  auto service = NodeService::create(
      options, [raw](int connection, const std::string& message) { raw->server->send(connection, message); });
  if (!service) return service.error();
  engine->service = std::move(service).value();
  return std::unique_ptr<Node>(new Node(std::move(engine)));
}

std::string Node::address() const {
  return engine_->server->address();
}

}  // namespace vqas
