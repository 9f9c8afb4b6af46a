#pragma once

#include <QHostAddress>
#include <QPointer>
#include <QSslConfiguration>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "node/wire/client_frames.h"

namespace vqas {

/// Limits on connections to a control socket that have not finished their handshakes.
struct DoorLimits {
  std::size_t waiting = 64;  ///< in all; beyond that, the oldest connection of the address with the most is closed
  std::size_t waiting_of_one = 16;            ///< of one address; beyond that, its oldest is closed
  std::chrono::milliseconds patience{10000};  ///< for the handshakes of TLS and WebSocket
  /// File descriptors reserved for recordings, journals and the line: no connection is accepted once only these are
  /// left.
  std::size_t spare_descriptors = 64;
};

/// The range of addresses that one peer may own: a single IPv4 address, a /64 of IPv6.
QString network_of(const QHostAddress& address);

/// Accepts TCP connections from unknown peers and passes them on to speak WebSocket: immediately, or after the TLS
/// handshake. Limits the file descriptors spent on them, however many come. Lives in one thread with a Qt event loop.
class ControlDoor : public QTcpServer {
 public:
  struct Callbacks {
    /// From now on the receiver reads this socket. The door owns it until it is disconnected.
    std::function<void(QTcpSocket* socket)> speak;
    std::function<void(const char* reason, const QHostAddress& from)> refused;
    /// Whether this address was admitted before: unknown ones are closed first. May be empty.
    std::function<bool(const QHostAddress& from)> known = {};
    /// An admitted client sends frames without a mask. Called before they are read. May be empty.
    std::function<void(const QHostAddress& from, quint16 port)> unmasked = {};
  };
  ControlDoor(Callbacks callbacks, std::optional<QSslConfiguration> tls, const DoorLimits& limits);
  /// The handshakes of this connection are complete: it no longer counts as waiting.
  void admitted(const QHostAddress& address, quint16 port);
  /// Address whose bytes were read last: during a handshake, that of its client.
  const QHostAddress& speaking() const { return speaking_; }

 protected:
  void incomingConnection(qintptr descriptor) override;

 private:
  using Clock = std::chrono::steady_clock;
  // What was read of a peer's frames, besides the WebSocket that reads them.
  struct Watch {
    ClientFrames frames;
    qint64 seen = 0;  // of the bytes not yet read
    bool begun = false, told = false;
  };
  struct Waiting {
    QPointer<QTcpSocket> socket;
    std::shared_ptr<Watch> watch;
    QHostAddress address;
    quint16 port = 0;
    Clock::time_point since;
  };
  void forget_gone();
  void make_room(const QHostAddress& newcomer);
  void turn_away(const Waiting& one, const char* reason);
  void look();
  void read_along(QTcpSocket& socket, Watch& watch);

  const Callbacks callbacks_;
  const std::optional<QSslConfiguration> tls_;
  const DoorLimits limits_;
  std::deque<Waiting> waiting_;  // oldest first
  QTimer looks_;
  QHostAddress speaking_;
};

}  // namespace vqas
