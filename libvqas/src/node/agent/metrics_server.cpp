#include "node/agent/metrics_server.h"

#include <fmt/format.h>

#include <QHostAddress>
#include <QTcpSocket>
#include <QUrl>
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace vqas {
namespace {

constexpr std::chrono::milliseconds kPatience{5000};
constexpr qint64 kLongestRequest = 4096;
constexpr std::size_t kMostConnections = 8;

std::string response(const char* status, const char* type, const std::string& body, const char* header = "") {
  return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n{}\r\n{}", status,
                     type, body.size(), header, body);
}

// The value of a header in a complete request; empty if missing.
std::string header_of(const std::string& request, const std::string& name) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (std::size_t line = request.find("\r\n"); line != std::string::npos; line = request.find("\r\n", line)) {
    line += 2;
    const std::string one = request.substr(line, request.find("\r\n", line) - line);
    const bool named = one.size() > name.size() && one[name.size()] == ':' &&
                       std::ranges::equal(one.substr(0, name.size()), name, {}, lower);
    if (!named) continue;
    const std::size_t begin = one.find_first_not_of(" \t", name.size() + 1);
    return begin == std::string::npos ? "" : one.substr(begin, one.find_last_not_of(" \t") + 1 - begin);
  }
  return {};
}

// A page in a browser whose name resolves to this machine (DNS rebinding) could read the metrics: such a request has no
// Origin, but its Host is that name. A page cannot have an IP address as its name this way.
bool is_own_host(const std::string& host) {
  const QUrl url(QString::fromStdString("http://" + host), QUrl::StrictMode);
  return host.empty() || url.host() == QStringLiteral("localhost") || !QHostAddress(url.host()).isNull();
}

}  // namespace

MetricsServer::MetricsServer(std::function<std::string()> page, ControlSecurity security)
    : page_(std::move(page)),
      security_(std::move(security)),
      door_({[this](QTcpSocket* socket) { hear(socket); }, [](const char*, const QHostAddress&) {}}, security_.tls,
            {.waiting = kMostConnections, .waiting_of_one = kMostConnections, .patience = kPatience}) {}

Status MetricsServer::listen(const std::string& text) {
  const auto address = parse_listen_address("--metrics", text);
  if (!address) return address.error();
  if (!security_.tls && !address->host.isLoopback()) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("--metrics {}: without TLS the metrics are served on loopback only; give 127.0.0.1:PORT", text)};
  }
  if (door_.listen(address->host, address->port)) return success();
  return Error{ErrorCode::io, fmt::format("--metrics {}: {}; choose another port, or 0 for a free one", text,
                                          door_.errorString().toStdString())};
}

std::string MetricsServer::address() const {
  const QHostAddress host = door_.serverAddress();
  const bool six = host.protocol() == QAbstractSocket::IPv6Protocol;
  const std::string name = host.toString().toStdString();
  return fmt::format("{}://{}:{}/metrics", security_.tls ? "https" : "http", six ? "[" + name + "]" : name,
                     door_.serverPort());
}

void MetricsServer::hear(QTcpSocket* socket) {
  QObject::connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
  const auto request = std::make_shared<std::string>();
  QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket, request] {
    *request += socket->read(kLongestRequest).toStdString();
    const bool whole = request->find("\r\n\r\n") != std::string::npos;
    if (!whole && request->size() < kLongestRequest) return;
    QObject::disconnect(socket, &QTcpSocket::readyRead, socket, nullptr);
    socket->write(QByteArray::fromStdString(answer(whole ? *request : std::string())));
    socket->disconnectFromHost();
  });
}

std::string MetricsServer::answer(const std::string& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string line = request.substr(0, request.find("\r\n"));
  if (!line.starts_with("GET ")) return response("400 Bad Request", "text/plain", "only GET is supported\n");
  if (security_.authorise) {
    const std::string shown = header_of(request, "authorization");
    if (!shown.starts_with(kBearer) || !security_.authorise(shown.substr(kBearer.size()))) {
      return response("401 Unauthorized", "text/plain",
                      "a token is required (Authorization: Bearer TOKEN); make one with \"vqas node token add\"\n",
                      "WWW-Authenticate: Bearer\r\n");
    }
  } else if (!is_own_host(header_of(request, "host"))) {
    return response("403 Forbidden", "text/plain", "use the IP address or localhost as the host name\n");
  }
  if (!line.starts_with("GET /metrics ")) return response("404 Not Found", "text/plain", "only /metrics exists\n");
  return response("200 OK", "text/plain; version=0.0.4; charset=utf-8", page_());
}

}  // namespace vqas
