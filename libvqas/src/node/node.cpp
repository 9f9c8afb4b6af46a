#include "vqas/node/node.h"

#include "node/control_server.h"
#include "node/node_service.h"

namespace vqas {

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
  if (const Status possible = check_control_address(options.control); !possible) return possible.error();
  auto engine = std::make_unique<Engine>();
  Engine* const raw = engine.get();
  auto service = NodeService::create(
      options, [raw](int connection, const std::string& message) { raw->server.send(connection, message); });
  if (!service) return service.error();
  engine->service = std::move(service).value();
  // Last of all: who connects is answered.
  if (const Status listening = engine->server.listen(options.control); !listening) return listening.error();
  return std::unique_ptr<Node>(new Node(std::move(engine)));
}

std::string Node::address() const {
  return engine_->server.address();
}

}  // namespace vqas
