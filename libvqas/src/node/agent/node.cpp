#include "vqas/node/node.h"

#include <fmt/format.h>

#include <QSslSocket>

#include "node/agent/metrics_server.h"
#include "node/agent/node_lock.h"
#include "node/agent/node_service.h"
#include "node/trust/node_identity.h"
#include "node/wire/control_server.h"

namespace vqas {

struct Node::Engine {
  std::unique_ptr<NodeLock> lock;
  std::unique_ptr<NodeService> service;
  std::unique_ptr<ControlServer> server;
  std::unique_ptr<MetricsServer> metrics;
  std::string fingerprint;

  ControlServer::Callbacks callbacks(const NodeOptions& options) {
    return {
        [this](int connection, const std::string& method, const Json& params) {
          return service->call(connection, method, params);
        },
        [this](int connection) { service->disconnected(connection); },
        [this](int connection) { return service->held_by(connection); },
        [this](int connection) { service->heard(connection); },
        options.log,
    };
  }
};

namespace {

// Loopback needs no credentials; all other clients need TLS and a token. `option` and `text` are for messages.
Result<ControlSecurity> security_for(const NodeOptions& options, const std::string& option, const std::string& text,
                                     std::string& fingerprint) {
  const auto address = parse_listen_address(option, text);
  if (!address) return address.error();
  ControlSecurity security;
  if (address->host.isLoopback() && !options.tls) return security;
  if (!QSslSocket::supportsSsl()) {
    return Error{ErrorCode::unsupported,
                 fmt::format("{} {}: Qt on this system has no TLS, so only loopback can be served; install its OpenSSL "
                             "plugin",
                             option, text)};
  }
  auto identity = node_identity(options.data);
  if (!identity) return identity.error();
  fingerprint = identity->fingerprint;
  QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
  tls.setLocalCertificate(identity->certificate);
  tls.setPrivateKey(identity->key);
  tls.setPeerVerifyMode(QSslSocket::VerifyNone);  // clients authenticate with a token
  tls.setProtocol(QSsl::TlsV1_2OrLater);
  security.tls = tls;
  const auto tokens = std::make_shared<NodeTokens>(options.data);
  // Reports an unusable token file now, not later as a wrong token.
  if (const auto usable = tokens->names(); !usable) return usable.error();
  security.authorise = [tokens](const std::string& token) { return tokens->owner(token); };
  return security;
}

}  // namespace

Node::Node(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Node::~Node() = default;

Result<std::unique_ptr<Node>> Node::start(const NodeOptions& options) {
  const auto address = parse_listen_address("--control", options.control);
  if (!address) return address.error();
  if (const Status lawful = check_origins(options.allowed_origins); !lawful) return lawful.error();
  auto engine = std::make_unique<Engine>();
  Engine* const raw = engine.get();
  auto lock = NodeLock::take(options.data, options.data_patience_s);
  if (!lock) return lock.error();
  engine->lock = *std::move(lock);
  auto security = security_for(options, "--control", options.control, engine->fingerprint);
  if (!security) return security.error();
  security->origins = options.allowed_origins;
  engine->server = std::make_unique<ControlServer>(engine->callbacks(options), ControlLimits{}, *std::move(security));
  auto service = NodeService::create(
      options, [raw](int connection, const std::string& message) { raw->server->send(connection, message); });
  if (!service) return service.error();
  engine->service = std::move(service).value();
  if (!options.metrics.empty()) {
    auto guarded = security_for(options, "--metrics", options.metrics, engine->fingerprint);
    if (!guarded) return guarded.error();
    engine->metrics = std::make_unique<MetricsServer>(
        [raw] { return raw->service->metrics(raw->server->refused(), raw->server->connections()); },
        *std::move(guarded));
    if (const Status open = engine->metrics->listen(options.metrics); !open) return open.error();
  }
  // Last: from here on clients are answered.
  if (const Status listening = engine->server->listen(address->host, address->port); !listening) {
    return Error{listening.error().code, fmt::format("--control {}: {}; choose another port, or 0 for a free one",
                                                     options.control, listening.error().message)};
  }
  return std::unique_ptr<Node>(new Node(std::move(engine)));
}

bool Node::release() {
  return engine_->service->release();
}

std::string Node::address() const {
  return engine_->server->address();
}

std::string Node::metrics_address() const {
  return engine_->metrics ? engine_->metrics->address() : std::string();
}

std::string Node::fingerprint() const {
  return engine_->fingerprint;
}

}  // namespace vqas
