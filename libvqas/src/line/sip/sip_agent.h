#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "line/sip/sip_account.h"
#include "line/sip/sip_call_state.h"
#include "line/sip/sip_name.h"
#include "line/sip/sip_thread.h"
#include "line/sip/sip_trace.h"
#include "vqas/line/line.h"

namespace vqas {

/// One end of one call: registers, dials or answers, and hangs up when it is destroyed. The signalling runs in a thread
/// of its own; all functions may be called from any thread.
class SipAgent {
 public:
  /// Takes the ports and begins to register, to dial or to wait. `rtp`: the address at which the call's audio is
  /// received. Fails with io when a port is taken.
  static Result<std::unique_ptr<SipAgent>> start(const SipLineOptions& options, std::optional<SipAccount> account,
                                                 const SocketAddress& local, const SocketAddress& rtp);
  /// Hangs up, gives up the registration and waits up to a second for the far end to confirm.
  ~SipAgent();
  SipAgent(const SipAgent&) = delete;
  SipAgent& operator=(const SipAgent&) = delete;

  /// A copy; its warning is handed over only once.
  SipCallState take();
  /// What was sent and received since the last call, as entries of sip_trace_entry(), limited by TraceByCall.
  std::vector<LineTrace> take_trace();
  /// Waits for a change of the state or for wake(), at most this long.
  void wait(std::chrono::milliseconds most);
  void wake();

 private:
  class Engine;
  SipAgent() = default;

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  SipCallState state_;
  TraceQueue trace_;
  bool is_news_ = false;

  std::unique_ptr<SipThread> thread_;
  std::unique_ptr<Engine> engine_;  // of the thread
};

}  // namespace vqas
