#include "node/wire/control_door.h"

#include <sys/resource.h>
#include <unistd.h>

#include <QSslSocket>
#include <algorithm>
#include <map>
#include <utility>

namespace vqas {
namespace {

constexpr int kTryAgainMs = 1000;
constexpr std::chrono::milliseconds kLongestLook{1000};

/// The system assigns the lowest free number, so a high one shows how many are in use.
bool is_among_the_last(qintptr descriptor, std::size_t spare) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  return static_cast<rlim_t>(descriptor) + spare >= limit.rlim_cur;
}

}  // namespace

// The owner of one IPv6 address has a /64 (RFC 6177).
QString network_of(const QHostAddress& address) {
  bool ipv4 = false;
  const quint32 number = address.toIPv4Address(&ipv4);
  if (ipv4) return QHostAddress(number).toString();
  Q_IPV6ADDR bytes = address.toIPv6Address();
  for (int i = 8; i < 16; ++i) bytes[i] = 0;
  return QHostAddress(bytes).toString();
}

ControlDoor::ControlDoor(Callbacks callbacks, std::optional<QSslConfiguration> tls, const DoorLimits& limits)
    : callbacks_(std::move(callbacks)), tls_(std::move(tls)), limits_(limits) {
  QObject::connect(&looks_, &QTimer::timeout, this, [this] { look(); });
  looks_.start(std::min(kLongestLook, limits_.patience / 4));
  // Qt stops accepting connections after the system failed to provide one.
  QObject::connect(this, &QTcpServer::acceptError, this, [this] {
    callbacks_.refused("the system gives no more connections", QHostAddress());
    QTimer::singleShot(kTryAgainMs, this, [this] { resumeAccepting(); });
  });
}

void ControlDoor::incomingConnection(qintptr descriptor) {
  auto* const tls = tls_ ? new QSslSocket(this) : nullptr;
  QTcpSocket* const socket = tls != nullptr ? tls : new QTcpSocket(this);
  if (!socket->setSocketDescriptor(descriptor)) {
    ::close(static_cast<int>(descriptor));
    delete socket;
    return;
  }
  Waiting one{socket, std::make_shared<Watch>(), socket->peerAddress(), socket->peerPort(), Clock::now()};
  if (is_among_the_last(descriptor, limits_.spare_descriptors)) return turn_away(one, "few file descriptors are left");
  make_room(one.address);
  // Before any other reader gets the new bytes.
  QObject::connect(socket, &QTcpSocket::readyRead, this,
                   [this, socket, watch = one.watch] { read_along(*socket, *watch); });
  waiting_.push_back(std::move(one));
  if (tls == nullptr) return callbacks_.speak(socket);
  tls->setSslConfiguration(*tls_);
  const auto gone = QObject::connect(tls, &QAbstractSocket::disconnected, tls, &QObject::deleteLater);
  QObject::connect(tls, &QSslSocket::encrypted, this, [this, tls, gone] {
    QObject::disconnect(gone);
    callbacks_.speak(tls);
  });
  tls->startServerEncryption();
}

// Called when exactly the handshake has been read: the first frame comes next.
void ControlDoor::admitted(const QHostAddress& address, quint16 port) {
  const auto found =
      std::ranges::find_if(waiting_, [&](const Waiting& one) { return one.port == port && one.address == address; });
  if (found == waiting_.end()) return;
  if (QTcpSocket* const socket = found->socket; socket != nullptr && callbacks_.unmasked) {
    found->watch->begun = true;
    // After the WebSocket has read.
    QObject::connect(socket, &QTcpSocket::readyRead, this,
                     [socket, watch = found->watch] { watch->seen = socket->bytesAvailable(); });
  }
  waiting_.erase(found);
}

// Bytes left undecodable appear again; the payload of a long frame is skipped.
void ControlDoor::read_along(QTcpSocket& socket, Watch& watch) {
  speaking_ = socket.peerAddress();
  if (!watch.begun || watch.told) return;
  const qint64 fresh = socket.bytesAvailable() - watch.seen;
  if (fresh <= 0) return;
  const auto skipped = static_cast<qint64>(std::min(watch.frames.payload_left(), static_cast<std::uint64_t>(fresh)));
  watch.frames.skip(static_cast<std::uint64_t>(skipped));
  if (skipped == fresh) return;
  const QByteArray bytes = socket.peek(socket.bytesAvailable());
  const auto from = static_cast<std::size_t>(watch.seen + skipped);
  if (watch.frames.take(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())).substr(from)))
    return;
  watch.told = true;
  callbacks_.unmasked(socket.peerAddress(), socket.peerPort());
}

void ControlDoor::forget_gone() {
  std::erase_if(waiting_, [](const Waiting& one) {
    return one.socket.isNull() || one.socket->state() == QAbstractSocket::UnconnectedState;
  });
}

// When there is no room, closes the oldest waiting connection: of the newcomer's network if that has too many, else of
// the network with the most, unknown ones first.
void ControlDoor::make_room(const QHostAddress& newcomer) {
  forget_gone();
  std::map<QString, std::size_t> by_address;
  for (const Waiting& one : waiting_) ++by_address[network_of(one.address)];
  QString from = network_of(newcomer);
  const auto own = by_address.find(from);
  const bool own_are_many = own != by_address.end() && own->second >= limits_.waiting_of_one;
  if (!own_are_many && waiting_.size() < limits_.waiting) return;
  if (!own_are_many) {
    if (callbacks_.known) {
      const auto is_known = [&](const Waiting& one) { return callbacks_.known(one.address); };
      const bool strangers = !std::ranges::all_of(waiting_, is_known);
      for (const Waiting& one : waiting_) {
        if (strangers && is_known(one)) by_address.erase(network_of(one.address));
      }
    }
    from = std::ranges::max_element(by_address, {}, &std::pair<const QString, std::size_t>::second)->first;
  }
  const auto oldest =
      std::ranges::find_if(waiting_, [&](const Waiting& one) { return network_of(one.address) == from; });
  const Waiting leaving = *oldest;
  waiting_.erase(oldest);
  turn_away(leaving, "too many connections that say nothing");
}

void ControlDoor::turn_away(const Waiting& one, const char* reason) {
  callbacks_.refused(reason, one.address);
  if (one.socket.isNull()) return;
  one.socket->abort();
  if (!one.socket.isNull()) one.socket->deleteLater();
}

void ControlDoor::look() {
  forget_gone();
  const auto now = Clock::now();
  while (!waiting_.empty() && now - waiting_.front().since >= limits_.patience) {
    const Waiting leaving = waiting_.front();
    waiting_.pop_front();
    turn_away(leaving, "no handshake in time");
  }
}

}  // namespace vqas
