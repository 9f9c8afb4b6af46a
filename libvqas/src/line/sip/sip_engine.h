#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "line/sip/call_media.h"
#include "line/sip/libre.h"
#include "line/sip/sip_agent.h"
#include "line/sip/sip_stack.h"

namespace vqas {

/// The part of a SipAgent that lives in libre's thread: one SIP stack, one registration, one call at a time.
class SipAgent::Engine {
 public:
  using Change = std::function<void(const std::function<void(CallState&)>&)>;
  /// `change` applies a change to the agent's state.
  Engine(const SipLineOptions& options, std::optional<SipAccount> account, const SocketAddress& rtp, Change change);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Fails with io.
  Status begin(const SocketAddress& local);
  /// Hangs up and unregisters; `done` is called when the far end has confirmed.
  void leave(std::function<void()> done);

 private:
  // Callbacks of libre; the last argument is the engine.
  static void on_progress(const sip_msg* reply, void* self);
  static int on_answer(const sip_msg* message, void* self);
  static int on_offer(mbuf** description, const sip_msg* message, void* self);
  static void on_established(const sip_msg* message, void* self);
  static void on_closed(int error, const sip_msg* reply, void* self);
  static void on_rang_long_enough(void* self);
  static int on_challenge(char** user, char** password, const char* realm, void* self);

  void registered(const SipReply& reply);
  void call_or_wait();
  void dial();
  void answer(const sip_msg* request);
  void begin_media();
  Status take_media(mbuf* body, bool offer);
  void close(const SipReply& reply);
  static std::string as_text(const SipReply& reply);
  void end(const CallEnd& how);
  void release_call();

  const SipLineOptions options_;
  const SocketAddress rtp_;
  const Change change_;
  SipStack stack_;
  int challenges_ = 0;  // to the call, since the last success
  bool rang_ = false, agreed_ = false, up_ = false, over_ = false;
  bool calling_ = false, is_registered_ = false;
  std::optional<CallEnd> ends_as_;  // why this end hangs up
  tmr ring_timer_{};
  std::optional<CallMedia> media_;
  sipsess* call_ = nullptr;
};

}  // namespace vqas
