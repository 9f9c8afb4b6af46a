#pragma once

#include <functional>
#include <optional>

#include "line/sip/call_media.h"
#include "line/sip/session_timer.h"
#include "line/sip/sip_call_state.h"
#include "line/sip/sip_stack.h"

namespace vqas {

/// One call of a SipStack, made or answered. It hangs up, or cancels, when it is destroyed. Of libre's thread.
class SipCall {
 public:
  using Change = std::function<void(const std::function<void(SipCallState&)>&)>;
  /// `change` applies a change to the call's state, which ends with SipCallState::Phase::over; it must not destroy the
  /// call. `rtp`: where this end receives the call's audio.
  SipCall(SipStack& stack, const SocketAddress& rtp, Change change);
  ~SipCall();
  SipCall(const SipCall&) = delete;
  SipCall& operator=(const SipCall&) = delete;

  /// Calls the party of the line's name.
  void dial();
  /// Rings and answers, after `accepts`. Gives how the call was refused where the caller offers no usable audio (488),
  /// or a session timer that is too short (422); the caller is told.
  std::optional<CallEnd> answer(const sip_msg* request, const std::function<void()>& accepts = {});
  /// An UPDATE; false: of another call.
  bool update(const sip_msg* request);
  /// Nothing listens where the call was sent; ends it unless a response has come.
  void unheard(int error);
  /// Answered by this end, and not confirmed by the caller.
  bool awaits_confirmation() const { return !dials_ && !up_ && !over_; }
  void end(const CallEnd& how);
  /// Its Call-ID; empty: no message was made yet, or the call is over.
  std::string call_id() const;

 private:
  static void on_progress(const sip_msg* reply, void* self);
  static int on_answer(const sip_msg* message, void* self);
  static int on_offer(mbuf** description, const sip_msg* message, void* self);
  static void on_established(const sip_msg* message, void* self);
  static void on_closed(int error, const sip_msg* reply, void* self);
  static void on_rang_long_enough(void* self);
  static int on_challenge(char** user, char** password, const char* realm, void* self);

  Status take_media(mbuf* body, bool offer);
  void warn(const std::string& words);
  void close(const SipReply& reply);
  void reinvite();
  void note_response();
  void release();

  SipStack& stack_;
  const Change change_;
  CallMedia media_;
  bool dials_ = false, responded_ = false, rang_ = false, agreed_ = false, up_ = false, over_ = false;
  int challenges_ = 0;
  std::optional<CallEnd> ends_as_;  // why this end hangs up
  tmr ring_timer_{};
  sipsess* call_ = nullptr;
  SessionTimer session_;
};

}  // namespace vqas
