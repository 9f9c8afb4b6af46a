#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "line/sip/libre.h"
#include "line/sip/sip_agent.h"
#include "line/sip/sip_call.h"
#include "line/sip/sip_stack.h"
#include "line/sip/sip_trace.h"

namespace vqas {

/// The part of a SipAgent that lives in libre's thread: one SIP stack, one registration, one call at a time.
class SipAgent::Engine {
 public:
  using Change = std::function<void(const std::function<void(SipCallState&)>&)>;
  /// `change` applies a change to the agent's state.
  Engine(const SipLineOptions& options, std::optional<SipAccount> account, const SocketAddress& rtp, Change change,
         TraceByCall::Keep traced);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Fails with io.
  Status begin(const SocketAddress& local);
  /// Hangs up and unregisters; `done` is called when the far end has confirmed.
  void leave(std::function<void()> done);

 private:
  void registered(const SipReply& reply);
  void call_or_wait();
  void answer(const sip_msg* request);
  void unheard(const SipWire::Unheard& what);
  void warn(const std::string& words);
  SipCall& make_call();
  void change_call(const std::function<void(SipCallState&)>& apply);
  void end(const CallEnd& how);

  const SipLineOptions options_;
  const SocketAddress rtp_;
  const Change change_;
  TraceByCall trace_;  // before the stack, which tells messages until it is gone
  SipStack stack_;
  bool up_ = false, over_ = false, is_registered_ = false;
  std::uint32_t calls_ = 0;       // made or answered
  std::uint64_t refused_ = 0;     // calls
  std::int64_t answered_ns_ = 0;  // by `call_`
  bool gave_up_ = false;          // the caller of `call_`, which is over: the next one is awaited
  std::unique_ptr<SipCall> call_;
};

}  // namespace vqas
