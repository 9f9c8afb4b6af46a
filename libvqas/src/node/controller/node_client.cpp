#include "node/controller/node_client.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <QAbstractSocket>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslSocket>
#include <utility>

#include "node/trust/node_identity.h"
#include "run/measurement_limits.h"

namespace vqas {
namespace {

// On two overloaded cores, healthy nodes have been silent for more than 30 s.
constexpr int kOpeningLooks = 60;
constexpr const char* kWentAway =
    "the connection was lost; look at the node for the reason, start it again and repeat the run";
// Recordings of ten minutes come in one message.
constexpr quint64 kLongestMessage = 64 * 1024 * 1024;
constexpr qsizetype kLongestCloseReason = 123;  // RFC 6455, 5.5.1

ErrorCode code_of(const rpc::Fault& fault) {
  if (fault.code == rpc::kLineIsLost || fault.code == rpc::kTakenBack) return ErrorCode::line_lost;
  if (fault.code == rpc::kHeld || fault.code == rpc::kInvalidParams || fault.code == rpc::kNoToken ||
      fault.code == rpc::kNotFound)
    return ErrorCode::bad_input;
  return fault.code == rpc::kTryAgain ? ErrorCode::io : ErrorCode::protocol;
}

}  // namespace

NodeClient::NodeClient(std::string name, const std::string& address, NodeAccess access, const LinkPatience& patience)
    : name_(std::move(name)),
      address_(QString::fromStdString(address)),
      access_(std::move(access)),
      patience_(patience) {
  socket_.setMaxAllowedIncomingMessageSize(kLongestMessage);
  socket_.setMaxAllowedIncomingFrameSize(kLongestMessage);
}

NodeClient::~NodeClient() {
  gone_ = true;
  socket_.disconnect();
}

void NodeClient::open(std::function<void()> opened, std::function<void(Error)> lost, Notified notified) {
  opened_ = std::move(opened);
  lost_ = std::move(lost);
  notified_ = std::move(notified);
  QObject::connect(&socket_, &QWebSocket::connected, &socket_, [this] { connected(); });
  if (address_.scheme() == QStringLiteral("wss")) {
    // Nodes sign their own certificates; only the fingerprint counts.
    QSslConfiguration tls = socket_.sslConfiguration();
    tls.setPeerVerifyMode(QSslSocket::QueryPeer);
    socket_.setSslConfiguration(tls);
  }
  QObject::connect(&socket_, &QWebSocket::disconnected, &socket_, [this] {
    // Over TLS a refused connection is reported as ended before its error, which has the reason.
    QTimer::singleShot(0, &socket_, [this] {
      if (gone_) return;
      turned_away_ = !answered_;
      lose(ErrorCode::line_lost, why_closed(false));
    });
  });
  QObject::connect(&socket_, qOverload<QAbstractSocket::SocketError>(&QWebSocket::error), &socket_,
                   [this](QAbstractSocket::SocketError fault) {
                     turned_away_ = !answered_ && fault == QAbstractSocket::RemoteHostClosedError;
                     lose(ErrorCode::line_lost, why_closed(fault != QAbstractSocket::RemoteHostClosedError));
                   });
  QObject::connect(&socket_, &QWebSocket::textMessageReceived, &socket_,
                   [this](const QString& message) { take(message.toStdString()); });
  QObject::connect(&socket_, &QWebSocket::pong, &socket_, [this] { heard_ = true; });
  QObject::connect(&watchdog_, &QTimer::timeout, &socket_, [this] { watch(); });
  watchdog_.start(patience_.look);
  socket_.open(address_);
}

// The certificate is available only from the TLS socket inside; a peer without one is not trusted.
bool NodeClient::is_pinned_peer() const {
  if (address_.scheme() != QStringLiteral("wss")) return true;
  const auto* const tls = socket_.findChild<QSslSocket*>();
  return tls != nullptr && !tls->peerCertificate().isNull() &&
         fingerprint_of(tls->peerCertificate()) == access_.fingerprint;
}

void NodeClient::connected() {
  open_ = heard_ = true;
  silent_looks_ = 0;
  if (!is_pinned_peer()) {
    other_peer_ = true;
    if (access_.fingerprint.empty()) {
      lose(ErrorCode::bad_input,
           "its certificate cannot be checked, because no fingerprint of it was given; give --pairing FILE of this "
           "node");
      return socket_.abort();
    }
    lose(ErrorCode::protocol,
         "its certificate is not the trusted one; another program may answer in its place; check the node");
    return socket_.abort();
  }
  if (access_.token.empty()) return opened_();
  request("auth.token", {{"token", access_.token}}, [this](const Result<Json>& answer) {
    if (answer) return opened_();
    refused_token_ = true;
    lose(ErrorCode::bad_input, "it does not accept this token; make one there with \"vqas node token add\"");
  });
}

// A node gives a reason when it ends a connection; one that is lost does not.
std::string NodeClient::why_closed(bool by_fault) const {
  const std::string told = as_plain_text(socket_.closeReason().left(kLongestCloseReason).toStdString());
  if (open_ && socket_.closeCode() == QWebSocketProtocol::CloseCodePolicyViolated && !told.empty())
    return "it ended the connection: " + told;
  return open_ && !by_fault ? kWentAway : socket_.errorString().toStdString();
}

// Sends a ping at each look: the other system acknowledges it even if its node has no time to read it.
bool NodeClient::is_acknowledged() const {
  const auto* const socket = socket_.findChild<QAbstractSocket*>();
  tcp_info info{};
  socklen_t length = sizeof info;
  if (socket == nullptr ||
      ::getsockopt(static_cast<int>(socket->socketDescriptor()), IPPROTO_TCP, TCP_INFO, &info, &length) != 0)
    return false;
  return std::chrono::milliseconds(info.tcpi_last_ack_recv) < patience_.acknowledged;
}

void NodeClient::watch() {
  if (!open_) {
    if (++silent_looks_ >= kOpeningLooks) lose(ErrorCode::line_lost, "it does not answer");
    return;
  }
  silent_looks_ = std::exchange(heard_, false) ? 0 : silent_looks_ + 1;
  const bool silent = silent_looks_ >= patience_.silent_looks && !is_acknowledged();
  fell_silent_ = silent || silent_looks_ >= patience_.stuck_looks;
  if (fell_silent_)
    return lose(ErrorCode::line_lost,
                fmt::format("it does not answer: nothing for {:g} s",
                            1e-3 * static_cast<double>((silent_looks_ * patience_.look).count())));
  socket_.ping();
}

void NodeClient::request(const std::string& method, const Json& params, Reply reply) {
  const std::uint64_t id = next_id_++;
  waiting_[id] = std::move(reply);
  socket_.sendTextMessage(QString::fromStdString(rpc::request(id, method, params)));
}

void NodeClient::take(const std::string& message) {
  if (gone_) return;
  heard_ = true;
  const auto incoming = rpc::read_incoming(message);
  if (!incoming) return lose(ErrorCode::protocol, incoming.error().message);
  answered_ = true;
  if (incoming->id) {
    answer(*incoming);
  } else {
    notified_(incoming->method, incoming->content);
  }
}

void NodeClient::answer(const rpc::Incoming& incoming) {
  const auto found = waiting_.find(*incoming.id);
  if (found == waiting_.end())
    return lose(ErrorCode::protocol,
                "it answered a request that was not sent; check that this is a VQAS node of the same release");
  // Callers read members of the result, so its shape is checked here once.
  if (!incoming.fault && !incoming.content.is_object()) {
    return lose(ErrorCode::protocol,
                "it does not answer like a VQAS node; check that this is the control address of a node");
  }
  const Reply reply = std::move(found->second);
  waiting_.erase(found);
  if (incoming.fault && incoming.fault->code == rpc::kNoToken && access_.token.empty()) {
    refused_token_ = true;
    reply(Error{ErrorCode::bad_input,
                name_ + ": this node requires a token; give --pairing FILE, the file that \"vqas node token add NAME "
                        "--pairing FILE --address ADDRESS\" at the node writes"});
  } else if (incoming.fault) {
    reply(Error{code_of(*incoming.fault), name_ + ": " + as_plain_text(incoming.fault->message)});
  } else {
    reply(incoming.content);
  }
}

void NodeClient::give_up(const Error& error) {
  lose(error.code, error.message);
}

void NodeClient::lose(ErrorCode code, const std::string& why) {
  if (std::exchange(gone_, true)) return;
  watchdog_.stop();
  waiting_.clear();
  const char* advice = "; check that \"vqas node\" runs there and that its address begins with ws:// or wss://";
  if (open_) advice = "";
  if (was_refused()) return lost_(Error{code, name_ + ": " + kNothingListens});
  lost_(Error{code, name_ + ": " + as_sentence_part(why) + advice});
}

void NodeClient::close() {
  gone_ = true;
  watchdog_.stop();
  waiting_.clear();
  if (open_) {
    socket_.close();
  } else {
    socket_.abort();
  }
}

}  // namespace vqas
