#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/relay/conditions.h"
#include "vqas/signal/end.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Which calls and directions a change is for.
struct RelayTarget {
  std::optional<std::uint64_t> call;  ///< none: all, and those to come
  std::optional<End> from;            ///< the direction that begins there; none: all there are
};

/// What keys and control sockets command while a relay runs. For one thread.
class LiveControl {
 public:
  virtual ~LiveControl() = default;
  /// Changes the conditions that `json` names (relay.md) and leaves the others as they are. Never opens a file: `json`
  /// may come from a socket (ProfileSource). Fails with bad_input; nothing is changed then.
  virtual Status set(const RelayTarget& target, const std::string& json) = 0;
  /// One wrong bit or more, at once. Fails with bad_input.
  virtual Status inject(const RelayTarget& target, std::uint32_t bits) = 0;
  /// What is done to the direction that begins there, or to those of calls to come.
  virtual const RelayConditions& conditions(End from) const = 0;
  virtual std::vector<End> directions() const = 0;
  virtual bool has_packets() const = 0;  ///< to be lost and delayed
  virtual bool real_time() const = 0;
  /// Each call as JSON, as relay-control.md describes it, on one line.
  virtual std::vector<std::string> calls_json() const = 0;
  /// The counters of SIP as JSON, on one line; empty where there is none.
  virtual std::string sip_json() const { return {}; }
};

/// A control behind a control socket: JSON-RPC 2.0 over WebSocket, on loopback (relay-control.md). Lives in one thread
/// with a Qt event loop.
class ControlSocket {
 public:
  /// `address` is HOST:PORT, loopback only; port 0: a free one. `live` outlives this. Of web pages only those of
  /// `allowed_origins` may connect ("https://bench.example:8443"). Fails with bad_input or io.
  static Result<std::unique_ptr<ControlSocket>> listen(const std::string& address, LiveControl& live,
                                                       const std::vector<std::string>& allowed_origins = {});
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  /// "ws://127.0.0.1:PORT"
  std::string address() const;

 private:
  struct Engine;
  explicit ControlSocket(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
