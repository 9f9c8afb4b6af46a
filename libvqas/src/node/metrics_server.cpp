#include "node/metrics_server.h"

#include <fmt/format.h>

#include <QHostAddress>
#include <QTcpSocket>
#include <QTimer>
#include <memory>

#include "node/control_server.h"

namespace vqas {
namespace {

constexpr int kPatienceMs = 5000;
constexpr qint64 kLongestRequest = 4096;
constexpr qsizetype kMostConnections = 8;

std::string response(const char* status, const char* type, const std::string& body) {
  return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", status,
                     type, body.size(), body);
}

}  // namespace

MetricsServer::MetricsServer(std::function<std::string()> page) : page_(std::move(page)) {
  QObject::connect(&server_, &QTcpServer::newConnection, &server_, [this] { accept(); });
}

Status MetricsServer::listen(const std::string& text) {
  const auto address = parse_listen_address("--metrics", text);
  if (!address) return address.error();
  if (server_.listen(address->host, address->port)) return success();
  return Error{ErrorCode::io, fmt::format("--metrics {}: {}; choose another port, or 0 for a free one", text,
                                          server_.errorString().toStdString())};
}

std::string MetricsServer::address() const {
  const QHostAddress host = server_.serverAddress();
  const bool six = host.protocol() == QAbstractSocket::IPv6Protocol;
  const std::string name = host.toString().toStdString();
  return fmt::format("http://{}:{}/metrics", six ? "[" + name + "]" : name, server_.serverPort());
}

void MetricsServer::accept() {
  while (QTcpSocket* const socket = server_.nextPendingConnection()) {
    QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    if (server_.findChildren<QTcpSocket*>().size() > kMostConnections) {
      socket->abort();
      continue;
    }
    QTimer::singleShot(kPatienceMs, socket, [socket] { socket->abort(); });
    const auto request = std::make_shared<std::string>();
    QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket, request] {
      *request += socket->read(kLongestRequest).toStdString();
      const bool whole = request->find("\r\n\r\n") != std::string::npos;
      if (!whole && request->size() < kLongestRequest) return;
      QObject::disconnect(socket, &QTcpSocket::readyRead, nullptr, nullptr);
      socket->write(QByteArray::fromStdString(answer(whole ? *request : std::string())));
      socket->disconnectFromHost();
    });
  }
}

std::string MetricsServer::answer(const std::string& request) const {
  const std::string line = request.substr(0, request.find("\r\n"));
  if (!line.starts_with("GET ")) return response("400 Bad Request", "text/plain", "only GET is answered\n");
  if (!line.starts_with("GET /metrics ")) return response("404 Not Found", "text/plain", "there is /metrics only\n");
  return response("200 OK", "text/plain; version=0.0.4; charset=utf-8", page_());
}

}  // namespace vqas
