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

/// The calls and directions that a change applies to.
struct RelayTarget {
  std::optional<std::uint64_t> call;  ///< none: all present and future calls
  std::optional<End> from;            ///< the direction that starts there; none: all directions
};

/// Changes that keys and control sockets make while a relay runs. For one thread.
class LiveControl {
 public:
  virtual ~LiveControl() = default;
  /// Changes the conditions that `json` names (relay.md) and keeps the others. Never opens a file, because `json` may
  /// come from a socket (ProfileSource). Fails with bad_input; nothing is changed then.
  virtual Status set(const RelayTarget& target, const std::string& json) = 0;
  /// Inverts the next bits of payload, one or more. Fails with bad_input.
  virtual Status inject(const RelayTarget& target, std::uint32_t bits) = 0;
  /// Conditions of the direction that starts there, or those of future calls.
  virtual const RelayConditions& conditions(End from) const = 0;
  virtual std::vector<End> directions() const = 0;  ///< by the ends where they start
  virtual Relayed relayed() const = 0;              ///< the same for all calls
  virtual bool real_time() const = 0;               ///< false: it runs without real-time priority
  /// Each call as JSON on one line, as described in relay.md.
  virtual std::vector<std::string> calls_json() const = 0;
  /// The counters of SIP as JSON on one line; empty without SIP.
  virtual std::string sip_json() const { return {}; }
};

/// A control socket: JSON-RPC 2.0 over WebSocket, on loopback (relay-control.md). Lives in one thread with a Qt event
/// loop.
class ControlSocket {
 public:
  /// `address` is HOST:PORT, loopback only; port 0: any free port. `live` outlives this. Web pages may connect only
  /// from `allowed_origins` ("https://bench.example:8443"). Fails with bad_input or io.
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
