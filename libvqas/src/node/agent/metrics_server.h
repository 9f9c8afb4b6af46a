#pragma once

#include <functional>
#include <string>

#include "node/wire/control_server.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Answers GET /metrics over HTTP with a page in Prometheus' text format, and everything else with an error. A client
/// may send one request, within five seconds and 4 KiB; of more than eight connections the oldest is closed. Lives in
/// one thread with a Qt event loop.
class MetricsServer {
 public:
  /// `page` makes the page for each request. With TLS it speaks HTTPS; if `security` requires tokens, a client must
  /// send one as in RFC 6750, "Authorization: Bearer TOKEN".
  explicit MetricsServer(std::function<std::string()> page, ControlSecurity security = {});
  /// At HOST:PORT; port 0: a free one. Without TLS on loopback only. Fails with bad_input or io, naming the option
  /// --metrics.
  Status listen(const std::string& address);
  /// "http://127.0.0.1:PORT/metrics", "https://…" with TLS
  std::string address() const;

 private:
  void hear(QTcpSocket* socket);
  std::string answer(const std::string& request) const;

  const std::function<std::string()> page_;
  const ControlSecurity security_;
  ControlDoor door_;
};

}  // namespace vqas
