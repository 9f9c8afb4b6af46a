#pragma once

#include <QHostAddress>
#include <QTimer>
#include <QWebSocketServer>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include "node/rpc.h"
#include "vqas/signal/result.h"

namespace vqas {

/// How much patience a node has with whoever connects. Tests have less.
struct ControlLimits {
  std::size_t connections = 16;
  std::chrono::milliseconds first_request{10000};  ///< time for the first lawful message
  std::chrono::milliseconds idle{60000};           ///< without a session: time without a request or an answer to a ping
  qint64 pause_bytes = 4 * 1024 * 1024;            ///< while more than this waits to be sent, nothing more is answered
  qint64 most_bytes = 64 * 1024 * 1024;            ///< more than this waiting ends the connection
  std::size_t most_waiting = 100;                  ///< so does more than this number of requests without an answer
};

/// Whether `control` is a HOST:PORT that a control socket may listen at: loopback only. Fails with bad_input.
Status check_control_address(const std::string& control);

/// The WebSockets of a node: who may stay, and what each may hold up. Numbers connections from 1. Lives in one thread
/// with a Qt event loop; the callbacks come from there.
class ControlServer {
 public:
  struct Callbacks {
    std::function<rpc::Answer(int connection, const std::string& method, const Json& params)> call;
    std::function<void(int connection)> disconnected;
    std::function<bool(int connection)> has_session;
  };

  /// `name` tells people whose socket it is.
  explicit ControlServer(Callbacks callbacks, const ControlLimits& limits = {}, const std::string& name = "vqas node");
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Begins to take connections. Fails with io.
  Status listen(const QHostAddress& host, quint16 port);
  /// The same at HOST:PORT, loopback only; port 0: a free one. Fails with bad_input or io, naming the option --control.
  Status listen(const std::string& control);
  /// "ws://127.0.0.1:PORT"
  std::string address() const;
  /// Nothing happens when the connection is gone or `message` is empty.
  void send(int connection, const std::string& message);

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    QWebSocket* socket = nullptr;
    Clock::time_point heard;
    bool lawful = false;               // has sent a message that the protocol knows
    std::deque<std::string> requests;  // that wait until it reads
  };

  void accept();
  void take(int connection, std::string message);
  void answer_waiting(int connection);
  void answer(int connection, const std::string& message);
  void look();
  void send_away(int connection, const char* why);

  const Callbacks callbacks_;
  const ControlLimits limits_;
  QWebSocketServer server_;
  QTimer looks_;
  std::map<int, Peer> peers_;
  int next_ = 1;
};

}  // namespace vqas
