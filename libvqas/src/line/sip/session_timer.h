#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "line/sip/call_end.h"
#include "line/sip/libre.h"

namespace vqas {

class SipStack;

/// What a message says of the session's interval (RFC 4028).
struct SessionExpires {
  std::uint32_t interval_s = 0;
  std::string refresher;  ///< "uac", "uas"; empty: not given
};
/// The message's Session-Expires; nothing: it has none that can be read. Re-entrant.
std::optional<SessionExpires> session_expires(const sip_msg* message);

/// The session timer of one call (RFC 4028). An interval is agreed only where the far end or a proxy asks for one. The
/// end that refreshes sends UPDATE (RFC 3311) at half the interval, or a re-INVITE where the far end takes no UPDATE;
/// the other end hangs up when no refresh came in time. Of libre's thread.
class SessionTimer {
 public:
  struct Work {
    std::function<void()> reinvite;             ///< refreshes by a re-INVITE
    std::function<void(const CallEnd&)> ended;  ///< the session is over; may destroy the timer's call
  };
  SessionTimer(SipStack& stack, Work work);
  ~SessionTimer();
  SessionTimer(const SessionTimer&) = delete;
  SessionTimer& operator=(const SessionTimer&) = delete;

  /// Agrees to what an INVITE or UPDATE of the far end asks for, and gives the headers of its 2xx. Nothing: the
  /// interval is shorter than the least one; the request gets 422 with refusal().
  /// Nothing is changed then.
  std::optional<std::string> agree(const sip_msg* request);
  /// Whether agree() would agree.
  bool accepts(const sip_msg* request) const;
  std::string refusal() const;
  /// Takes what the 2xx to this end's INVITE or UPDATE says.
  void take(const sip_msg* reply);
  /// From the answer on, and after each refresh.
  void start(sipsess* call);
  /// A re-INVITE of the far end is being answered. libre's 200 to it can name no interval, which ends the agreement for
  /// the far end (RFC 4028, 7.2). So this end agrees anew: from now on it refreshes, and begins soon. Where the far end
  /// takes no UPDATE, or does not answer the first one as it should, and was to refresh, the session has no timer any
  /// more.
  void reinvited(const sip_msg* request);
  /// A 2xx to this end's re-INVITE came. libre tells no other response to it but 408, 481 and a missing one.
  void renewed() { awaits_renewal_ = false; }
  /// A request of this end that was to renew the session got no 2xx, or not yet.
  bool awaits_renewal() const { return awaits_renewal_; }
  void stop();

 private:
  static void on_due(void* self);
  static void on_refreshed(int error, const sip_msg* reply, void* self);
  static int add_contact(sip_transp transport, const sa* source, const sa* destination, mbuf* headers, void* self);
  static int on_challenge(char** user, char** password, const char* realm, void* self);
  void refresh();
  void ask();
  void answer_challenge(const sip_msg* reply);
  void give_up_takeover();
  void note_peer(const sip_msg* message);
  std::uint32_t at_least(std::uint32_t interval_s) const;

  SipStack& stack_;
  const Work work_;
  SessionExpires agreed_;   // interval 0: none
  bool refreshes_ = false;  // this end does
  bool peer_updates_ = false;
  bool awaits_renewal_ = false;
  // From a re-INVITE of the far end until an UPDATE succeeded: nothing obliges the far end to take it.
  bool voluntary_ = false;
  bool had_to_refresh_ = false;  // before that
  int challenges_ = 0;           // since the refresh became due
  tmr timer_{};
  sipsess* call_ = nullptr;  // of the call that has this timer
  sip_auth* auth_ = nullptr;
  struct sip_request* request_ = nullptr;
};

}  // namespace vqas
