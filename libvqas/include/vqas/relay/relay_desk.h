#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vqas/relay/rtp_relay.h"

namespace vqas {

/// Which calls and directions a change is for.
struct RelayTarget {
  std::optional<std::uint64_t> call;  ///< none: all, and those to come
  std::optional<Side> from;           ///< the direction that begins there; none: both
};

/// Where calls are looked after while they run: it knows what new calls begin with, and carries changes to those that
/// are there. For one thread.
class RelayDesk {
 public:
  /// `defaults` are what new calls begin with; `relay` outlives this.
  RelayDesk(RtpRelay& relay, const CallOptions& defaults) : relay_(relay), defaults_(defaults) {}

  RtpRelay& relay() { return relay_; }
  const CallOptions& defaults() const { return defaults_; }

  /// Changes the conditions that `json` names (relay.md) and leaves the others as they are. Fails with bad_input;
  /// nothing is changed then.
  Status set(const RelayTarget& target, const std::string& json);
  /// One wrong bit or more, at once. Fails with bad_input.
  Status inject(const RelayTarget& target, std::uint32_t bits);

 private:
  std::vector<std::uint64_t> calls_of(const RelayTarget& target) const;

  RtpRelay& relay_;
  CallOptions defaults_;
};

/// The desk behind a control socket: JSON-RPC 2.0 over WebSocket, on loopback (relay.md). Lives in one thread with a Qt
/// event loop.
class RelayControl {
 public:
  /// `address` is HOST:PORT, loopback only; port 0: a free one. Fails with bad_input or io.
  static Result<std::unique_ptr<RelayControl>> listen(const std::string& address, RelayDesk& desk);
  ~RelayControl();
  RelayControl(const RelayControl&) = delete;
  RelayControl& operator=(const RelayControl&) = delete;
  /// "ws://127.0.0.1:PORT"
  std::string address() const;

 private:
  struct Engine;
  explicit RelayControl(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

/// A call as JSON, as relay.md describes it, on one line.
std::string call_json(const RelayedCallState& call);

}  // namespace vqas
