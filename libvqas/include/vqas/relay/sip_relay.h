#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "vqas/relay/call_control.h"
#include "vqas/relay/sip.h"

namespace vqas {

/// A SIP proxy on a UDP socket, whose calls go through a control's relay with what the control says. Lives in one
/// thread with a Qt event loop.
class SipRelay {
 public:
  struct Options {
    SipOptions sip;                ///< `self` is where it listens; port 0: a free one
    std::uint32_t media_host = 0;  ///< address of RTP as phones reach it
    std::filesystem::path record;  ///< folder for the patterns of each call; empty: none
  };
  /// Told when a call has ended, with the failure of its patterns' recording if there was one.
  using Ended = std::function<void(const RelayedCallState& call, const Status& failure)>;

  /// `live` outlives this. Fails with bad_input or io.
  static Result<std::unique_ptr<SipRelay>> listen(const Options& options, CallControl& live, Ended ended);
  ~SipRelay();
  SipRelay(const SipRelay&) = delete;
  SipRelay& operator=(const SipRelay&) = delete;

  SocketAddress address() const;
  SipCounters counters() const;

 private:
  struct Engine;
  explicit SipRelay(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace vqas
