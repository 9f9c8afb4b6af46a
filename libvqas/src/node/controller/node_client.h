#pragma once

#include <QObject>
#include <QTimer>
#include <QWebSocket>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "node/wire/rpc.h"
#include "vqas/node/controller.h"

namespace vqas {

/// For a refused connection: its meaning and what to do.
inline constexpr const char* kNothingListens =
    "nothing listens at this address (connection refused); start \"vqas node\" there and wait until it prints its "
    "address, or correct the address";

/// When a silent node, without even answers to pings, counts as lost. A machine that is off or out of reach does not
/// acknowledge what is sent to it; an overloaded one does, and its node is only slow.
struct LinkPatience {
  std::chrono::milliseconds look{1000};
  int silent_looks = 30;                          ///< without an acknowledgement either
  std::chrono::milliseconds acknowledged{30000};  ///< an older one does not count
  int stuck_looks = 300;                          ///< with acknowledgements
};

/// A controller's connection to one node. Every request ends in its callback, with the node's answer (always an object)
/// or with an error if the node refuses; or in `lost`, if the node goes away or violates the protocol. Lives in one
/// thread with a Qt event loop; callbacks are called there.
class NodeClient {
 public:
  using Reply = std::function<void(Result<Json>)>;
  using Notified = std::function<void(const std::string& method, const Json& params)>;

  /// `name` is for people: "node a at ws://…". Over TLS nothing is sent before the certificate matches `access`; then
  /// its token is sent.
  NodeClient(std::string name, const std::string& address, NodeAccess access = {}, const LinkPatience& patience = {});
  ~NodeClient();
  NodeClient(const NodeClient&) = delete;
  NodeClient& operator=(const NodeClient&) = delete;

  /// Calls `opened` once, or `lost`; `lost` at most once and as the last callback, with line_lost or protocol.
  void open(std::function<void()> opened, std::function<void(Error)> lost, Notified notified);
  void request(const std::string& method, const Json& params, Reply reply);
  /// Treats the node as lost, for a reason known only to the caller: calls `lost` with this error.
  void give_up(const Error& error);
  /// Closes the connection after sending everything queued; no callback follows.
  void close();
  /// Whether no program listens there: there was no connection, and the machine refused it.
  bool was_refused() const { return !open_ && socket_.error() == QAbstractSocket::ConnectionRefusedError; }
  /// From now on a silent node counts as lost even if its machine acknowledges: a stopped process.
  void take_silence_for_loss() { patience_.stuck_looks = patience_.silent_looks; }
  /// It was connected, and is lost because it did not answer.
  bool fell_silent() const { return fell_silent_; }
  /// It is running, but ended the connection before answering anything: its connection limit is reached.
  bool turned_away() const { return turned_away_ && !was_refused(); }
  /// It showed another certificate than the trusted one.
  bool is_other_peer() const { return other_peer_; }
  /// It wants a token and has none, or a wrong one.
  bool refused_token() const { return refused_token_; }
  const std::string& name() const { return name_; }

 private:
  void connected();
  bool is_pinned_peer() const;
  void take(const std::string& message);
  void answer(const rpc::Incoming& incoming);
  void lose(ErrorCode code, const std::string& why);
  void watch();
  std::string why_closed(bool by_fault) const;
  bool is_acknowledged() const;

  const std::string name_;
  const QUrl address_;
  const NodeAccess access_;
  LinkPatience patience_;
  QWebSocket socket_;
  QTimer watchdog_;
  bool open_ = false, gone_ = false;
  bool heard_ = true;  // since the last look
  bool fell_silent_ = false, turned_away_ = false, answered_ = false, other_peer_ = false, refused_token_ = false;
  int silent_looks_ = 0;
  std::uint64_t next_id_ = 1;
  std::map<std::uint64_t, Reply> waiting_;
  std::function<void()> opened_;
  std::function<void(Error)> lost_;
  Notified notified_;
};

}  // namespace vqas
