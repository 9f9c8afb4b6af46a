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

/// Limits on the clients of a control socket. Tests use smaller ones.
struct ControlLimits {
  DoorLimits door = {};  ///< before the handshake
  std::size_t connections = 16;
  std::size_t newcomers = 4;  ///< of these, places reserved for clients without a valid request so far
  /// A client is not disconnected for an unknown one within this time of its connection or last request; the unknown
  /// one is refused. Longer than a handshake and a request over a slow link.
  std::chrono::milliseconds stay{5000};
  std::chrono::milliseconds first_request{10000};  ///< time for the first valid message
  std::chrono::milliseconds idle{60000};           ///< without a session: time without a request or an answer to a ping
  qint64 pause_bytes = 4 * 1024 * 1024;  ///< while more than this waits to be sent, no more requests are answered
  qint64 most_bytes = 64 * 1024 * 1024;  ///< connections with more than this waiting are closed
  std::size_t most_waiting = 100;        ///< so are those with more than this number of unanswered requests
  double messages_per_s = 20;            ///< of a client without a session, on average
  double messages_at_once = 100;         ///< and in one burst
  std::size_t wrong_tokens = 5;          ///< from one address, within `token_window`, before it is blocked
  std::chrono::milliseconds token_window{60000};
  std::size_t log_lines = 10;  ///< about refusals, within `log_window`; further ones are counted
  std::chrono::milliseconds log_window{10000};
};

/// Access control of a control socket. The default is none, for loopback only.
struct ControlSecurity {
  std::optional<QSslConfiguration> tls;  ///< speak TLS with this key and certificate
  /// Returns the owner of a token. If set, only auth.token is answered until a correct token was sent.
  std::function<std::optional<std::string>(const std::string& token)> authorise;
  /// Web pages that may connect, "https://bench.example:8443". In each handshake a browser sends the origin of its page
  /// (RFC 6455, 4.1); programs send none and may connect.
  std::vector<std::string> origins = {};
};
/// Checks that each is the origin of one site as browsers write it (RFC 6454, 6.2). Fails with bad_input, naming the
/// option --allow-origin.
Status check_origins(const std::vector<std::string>& origins);

/// Where a control socket listens.
struct ControlAddress {
  QHostAddress host;
  quint16 port = 0;
};
/// Reads HOST:PORT; `option` is its name in messages. Fails with bad_input.
Result<ControlAddress> parse_listen_address(const std::string& option, const std::string& text);

/// Checks that `control` is a HOST:PORT where a control socket without TLS may listen: loopback only. Fails with
/// bad_input.
Status check_control_address(const std::string& control);

/// The WebSockets of a node: decides which clients stay and limits what each may use. Numbers connections from 1. Lives
/// in one thread with a Qt event loop; the callbacks are called there.
class ControlServer {
 public:
  struct Callbacks {
    std::function<rpc::Answer(int connection, const std::string& method, const Json& params)> call;
    std::function<void(int connection)> disconnected;
    std::function<bool(int connection)> has_session;
    /// A sign of life of the connection; may be empty.
    std::function<void(int connection)> heard = {};
    /// A line for people: which client was refused, and why; may be empty.
    std::function<void(const std::string&)> log = {};
  };

  /// `name` is the owner of the socket, for people.
  explicit ControlServer(Callbacks callbacks, const ControlLimits& limits = {}, ControlSecurity security = {},
                         const std::string& name = "vqas node");
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  /// Starts to accept connections. Fails with io.
  Status listen(const QHostAddress& host, quint16 port);
  /// The same at HOST:PORT, loopback only; port 0: a free one. Fails with bad_input or io, naming the option --control.
  Status listen(const std::string& control);
  /// Address of the socket: "ws://127.0.0.1:PORT", "wss://…" with TLS; if it listens at all addresses, the first one of
  /// machine_hosts().
  std::string address() const;
  /// How many connections, messages and tokens were refused, by reason.
  const std::map<std::string, std::uint64_t>& refused() const { return refused_; }
  std::size_t connections() const { return peers_.size(); }
  /// Does nothing if the connection is closed or `message` is empty.
  void send(int connection, const std::string& message);

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    QWebSocket* socket = nullptr;
    Clock::time_point heard;
    Clock::time_point asked;  // a valid request, or connected
    QHostAddress from;
    bool lawful = false;      // has sent a message known to the protocol
    bool authorised = false;  // has sent a correct token, or none is needed
    double allowance = 0;     // messages that it may send now
    Clock::time_point counted;
    std::deque<std::string> requests;  // waiting until the client reads
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
  ControlDoor door_;         // owns the sockets of the WebSockets
  QWebSocketServer server_;  // does not listen itself: the door passes connections to it
  QTimer looks_;
  std::map<int, Peer> peers_;
  int next_ = 1;
  std::map<std::string, std::uint64_t> refused_;
  std::map<QString, Count> wrong_tokens_;       // by address
  std::map<QString, Clock::time_point> known_;  // by network: last time a client held a session or a correct token
  Count logged_;
  std::uint64_t unlogged_ = 0;
};

}  // namespace vqas
