#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "vqas/relay/call_control.h"
#include "vqas/relay/sip.h"

namespace vqas {

/// A SIP proxy on a UDP socket whose calls go through the relay of a control. Lives in one thread with a Qt event loop.
class SipRelay {
 public:
  struct Options {
    SipOptions sip;                ///< `self` is where it listens; port 0: any free port
    std::uint32_t media_host = 0;  ///< address of RTP as seen by phones
    std::filesystem::path record;  ///< folder for the error patterns of each call; empty: none
  };
  /// Called when a call has ended, with the failure to record its patterns, if any.
  using Ended = std::function<void(const RelayedCallState& call, const Status& failure)>;

  /// `live` outlives this. Fails with bad_input or io.
  static Result<std::unique_ptr<SipRelay>> listen(const Options& options, CallControl& live, Ended ended);
  ~SipRelay();
  SipRelay(const SipRelay&) = delete;
  SipRelay& operator=(const SipRelay&) = delete;

  SocketAddress address() const;  ///< where it listens; the port is never 0
  SipCounters counters() const;   ///< a snapshot

 private:
  struct Engine;
  explicit SipRelay(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
