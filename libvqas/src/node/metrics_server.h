#pragma once

#include <QTcpServer>
#include <functional>
#include <string>

#include "vqas/signal/result.h"

namespace vqas {

/// Answers GET /metrics over HTTP with a page of Prometheus' text format, and everything else with an error. Whoever
/// connects may ask once, within five seconds and 4 KiB; eight may be connected at once. Lives in one thread with a Qt
/// event loop.
class MetricsServer {
 public:
  /// `page` makes the page when somebody asks.
  explicit MetricsServer(std::function<std::string()> page);
  /// At HOST:PORT; port 0: a free one. Fails with bad_input or io, naming the option --metrics.
  Status listen(const std::string& address);
  /// "http://127.0.0.1:PORT/metrics"
  std::string address() const;

 private:
  void accept();
  std::string answer(const std::string& request) const;

  const std::function<std::string()> page_;
  QTcpServer server_;
};

}  // namespace vqas
