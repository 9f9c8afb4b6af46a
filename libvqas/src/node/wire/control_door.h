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

/// How many connections may stand at the door of a control socket at a time: they are there, and have not said yet what
/// they want.
struct DoorLimits {
  std::size_t waiting = 64;         ///< in all; one more and the oldest of the address that has most gives way
  std::size_t waiting_of_one = 16;  ///< of one address, whose oldest gives way
  std::chrono::milliseconds patience{10000};  ///< until the handshakes of TLS and WebSocket are over
  /// File descriptors that are left for recordings, journals and the line: at the process's limit less this nobody more
  /// comes in.
  std::size_t spare_descriptors = 64;
};

/// What one peer may take all addresses of: an address of IPv4, a /64 of IPv6.
QString network_of(const QHostAddress& address);

/// Takes TCP connections before anything is known of whoever makes them, and hands them on to speak WebSocket: at once,
/// or when TLS stands. However many come, only so many of the process's descriptors are spent on them. Lives in one
/// thread with a Qt event loop.
class ControlDoor : public QTcpServer {
 public:
  struct Callbacks {
    /// From now on somebody else reads this socket. It belongs to the door until it is disconnected.
    std::function<void(QTcpSocket* socket)> speak;
    std::function<void(const char* reason, const QHostAddress& from)> refused;
    /// Whether somebody from there was let in before: a stranger gives way first. May be empty.
    std::function<bool(const QHostAddress& from)> known = {};
    /// Who was admitted sends frames without a mask. Called before they are read. May be empty.
    std::function<void(const QHostAddress& from, quint16 port)> unmasked = {};
  };
  ControlDoor(Callbacks callbacks, std::optional<QSslConfiguration> tls, const DoorLimits& limits);
  /// Its handshakes are over: it stands at the door no more.
  void admitted(const QHostAddress& address, quint16 port);
  /// Whose bytes were read last: during a handshake, who makes it.
  const QHostAddress& speaking() const { return speaking_; }

 protected:
  void incomingConnection(qintptr descriptor) override;

 private:
  using Clock = std::chrono::steady_clock;
  // What was seen of a peer's frames, beside the WebSocket that reads them.
  struct Watch {
    ClientFrames frames;
    qint64 seen = 0;  // of the bytes that were not read yet
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
