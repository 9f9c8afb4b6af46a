#pragma once

#include <QHostAddress>
#include <QSslConfiguration>
#include <QTimer>
#include <QWebSocketProtocol>
#include <QWebSocketServer>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "node/wire/control_door.h"
#include "node/wire/rpc.h"
#include "vqas/signal/result.h"

namespace vqas {

/// How much patience a node has with whoever connects. Tests have less.
struct ControlLimits {
  DoorLimits door = {};  ///< before the handshake
  std::size_t connections = 16;
  std::size_t newcomers = 4;  ///< of these, places that are kept for who has said nothing lawful yet
  /// As long as this nobody who came or asked something is sent away for somebody who was never known; whoever would
  /// need the place is refused meanwhile. Above the time of a handshake and a request over a late link.
  std::chrono::milliseconds stay{5000};
  std::chrono::milliseconds first_request{10000};  ///< time for the first lawful message
  std::chrono::milliseconds idle{60000};           ///< without a session: time without a request or an answer to a ping
  qint64 pause_bytes = 4 * 1024 * 1024;            ///< while more than this waits to be sent, nothing more is answered
  qint64 most_bytes = 64 * 1024 * 1024;            ///< more than this waiting ends the connection
  std::size_t most_waiting = 100;                  ///< so does more than this number of requests without an answer
  double messages_per_s = 20;                      ///< of whoever holds no session, on average
  double messages_at_once = 100;                   ///< and at once
  std::size_t wrong_tokens = 5;                    ///< of one address, within `token_window`, until it is shut out
  std::chrono::milliseconds token_window{60000};
  std::size_t log_lines = 10;  ///< of refusals, within `log_window`; what is more is counted
  std::chrono::milliseconds log_window{10000};
};

/// How a control socket keeps strangers out. By default it does not, which is for loopback alone.
struct ControlSecurity {
  std::optional<QSslConfiguration> tls;  ///< speak TLS with this key and certificate
  /// Whose token this is. Where it is set, nothing but auth.token is answered before a right one came.
  std::function<std::optional<std::string>(const std::string& token)> authorise;
  /// Web pages that may connect, "https://bench.example:8443". A browser tells in each handshake where its page came
  /// from (RFC 6455, 4.1), programs tell nothing and may connect.
  std::vector<std::string> origins = {};
};
/// Whether each is the origin of one site as browsers write it (RFC 6454, 6.2). Fails with bad_input, naming the option
/// --allow-origin.
Status check_origins(const std::vector<std::string>& origins);

/// Where a control socket listens.
struct ControlAddress {
  QHostAddress host;
  quint16 port = 0;
};
/// Reads HOST:PORT; `option` is what messages call it. Fails with bad_input.
Result<ControlAddress> parse_listen_address(const std::string& option, const std::string& text);

/// Whether `control` is a HOST:PORT that a control socket without TLS may listen at: loopback only. Fails with
/// bad_input.
Status check_control_address(const std::string& control);

/// The WebSockets of a node: who may stay, and what each may hold up. Numbers connections from 1. Lives in one thread
/// with a Qt event loop; the callbacks come from there.
class ControlServer {
 public:
  struct Callbacks {
    std::function<rpc::Answer(int connection, const std::string& method, const Json& params)> call;
    std::function<void(int connection)> disconnected;
    std::function<bool(int connection)> has_session;
    /// A sign of life of the connection; may be empty.
    std::function<void(int connection)> heard = {};
    /// A line for people: who was refused, and why; may be empty.
    std::function<void(const std::string&)> log = {};
  };

  /// `name` tells people whose socket it is.
  explicit ControlServer(Callbacks callbacks, const ControlLimits& limits = {}, ControlSecurity security = {},
                         const std::string& name = "vqas node");
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Begins to take connections. Fails with io.
  Status listen(const QHostAddress& host, quint16 port);
  /// The same at HOST:PORT, loopback only; port 0: a free one. Fails with bad_input or io, naming the option --control.
  Status listen(const std::string& control);
  /// Where it listens: "ws://127.0.0.1:PORT", "wss://…" with TLS; where it listens at all addresses, the first one of
  /// machine_hosts().
  std::string address() const;
  /// How many connections, messages and tokens were refused, by reason.
  const std::map<std::string, std::uint64_t>& refused() const { return refused_; }
  std::size_t connections() const { return peers_.size(); }
  /// Nothing happens when the connection is gone or `message` is empty.
  void send(int connection, const std::string& message);

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    QWebSocket* socket = nullptr;
    Clock::time_point heard;
    Clock::time_point asked;  // something lawful, or came
    QHostAddress from;
    bool lawful = false;      // has sent a message that the protocol knows
    bool authorised = false;  // has sent a right token, or none is needed
    double allowance = 0;     // messages that it may send now
    Clock::time_point counted;
    std::deque<std::string> requests;  // that wait until it reads
  };
  struct Count {
    std::size_t count = 0;
    Clock::time_point since;
  };

  void accept();
  void adopt(QWebSocket* socket);
  bool make_room(const QHostAddress& newcomer);
  void remember(int connection, const Peer& peer);
  bool within_rate(int connection, Peer& peer);
  bool shut_out(const QHostAddress& from);
  rpc::Answer call(int connection, const std::string& method, const Json& params);
  rpc::Answer take_token(Peer& peer, const Json& params);
  void refuse(const char* reason, const QHostAddress& from, const std::string& detail = {});
  void take(int connection, std::string message);
  void answer_waiting(int connection);
  void answer(int connection, const std::string& message);
  void look();
  void send_away(int connection, const char* why);
  void dismiss(int connection, const char* why,
               QWebSocketProtocol::CloseCode code = QWebSocketProtocol::CloseCodePolicyViolated);
  bool lets_in(const QString& origin);
  void refuse_unmasked(const QHostAddress& from, quint16 port);

  const Callbacks callbacks_;
  const ControlLimits limits_;
  const ControlSecurity security_;
  ControlDoor door_;         // owns the sockets that the WebSockets stand on
  QWebSocketServer server_;  // does not listen itself: what comes through the door is handed to it
  QTimer looks_;
  std::map<int, Peer> peers_;
  int next_ = 1;
  std::map<std::string, std::uint64_t> refused_;
  std::map<QString, Count> wrong_tokens_;       // by address
  std::map<QString, Clock::time_point> known_;  // by network, who held a session or had a right token, and when
  Count logged_;
  std::uint64_t unlogged_ = 0;
};

}  // namespace vqas
