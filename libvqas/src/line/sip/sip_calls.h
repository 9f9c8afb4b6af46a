#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "line/sip/sip_account.h"
#include "line/sip/sip_call_state.h"
#include "line/sip/sip_name.h"
#include "line/sip/sip_thread.h"
#include "line/sip/sip_trace.h"

namespace vqas {

/// Any number of calls of one SIP address at a time, made and answered, with one thread for the signalling of all. Its
/// functions may be called from any thread, except for the callbacks, which libre's thread calls.
class SipCalls {
 public:
  using Id = std::uint32_t;
  /// A call whose state has changed.
  struct News {
    Id id = 0;
    SipCallState state;
  };
  struct Options {
    std::size_t most = 0;  ///< calls that are answered at a time; others get 486. 0: none is answered
    /// Gives the address at which the audio of a call that came in is received; nothing refuses it (503). Called by
    /// libre's thread, must not wait.
    std::function<std::optional<SocketAddress>(Id)> audio_of;
  };
  /// Takes the port and begins to register where the line asks for it. Fails with io or bad_input.
  static Result<std::unique_ptr<SipCalls>> start(const SipLineOptions& line, std::optional<SipAccount> account,
                                                 const SocketAddress& local, Options options);
  /// Hangs up every call, gives up the registration and waits up to a second for the far ends to confirm.
  ~SipCalls();
  SipCalls(const SipCalls&) = delete;
  SipCalls& operator=(const SipCalls&) = delete;

  /// Calls the party of the line's name. `rtp`: the address at which the call's audio is received.
  Id dial(const SocketAddress& rtp);
  /// Ends a call that is not over, by BYE or CANCEL; gives no news.
  void hang_up(Id id);
  /// Every call that has changed, in its present state, once. Waits for the first, at most this long. A call that is
  /// over is not reported again.
  std::vector<News> wait(std::chrono::milliseconds most);
  /// Makes a waiting wait() return.
  void wake();

  enum class Registration { none, asked, held, refused };
  /// Calls are made and taken where the line does not register (`none`) and once the registration is `held`. `refused`
  /// is final; registration_end() says why.
  Registration registration() const;
  CallEnd registration_end() const;
  /// A warning for the operator, a sentence part, given once. Empty: nothing new.
  std::string take_warning();
  /// What was sent and received since the last call, as entries of sip_trace_entry(), each with its call; 0: of no
  /// call, as registrations are.
  std::vector<LineTrace> take_traces();

 private:
  class Engine;
  SipCalls() = default;
  void change(Id id, const std::function<void(SipCallState&)>& apply);
  Id next_id();
  void forget(Id id);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  std::map<Id, SipCallState> states_;
  std::set<Id> news_;
  bool woken_ = false;
  Id last_ = 0;
  Registration registration_ = Registration::none;
  CallEnd registration_end_;
  std::string warning_;
  TraceQueue traces_;

  std::unique_ptr<SipThread> thread_;
  std::unique_ptr<Engine> engine_;  // of the thread
};

}  // namespace vqas
