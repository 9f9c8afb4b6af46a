#include "line/sip/session_timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "line/sip/sip_stack.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr std::uint32_t kLongest_s = 7 * 24 * 3600;  // keeps the timer's milliseconds in range
constexpr std::uint64_t kAfterReinvite_ms = 500;     // its 200 and ACK come first (RFC 3261, T1)
constexpr std::uint32_t kBeforeEnd_s = 32;           // RFC 4028, 10: BYE so long before the end, or a third of it

std::uint32_t seconds_of(std::string_view text) {
  std::uint32_t seconds = 0;
  const auto [stopped, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  return fault == std::errc() && stopped != text.data() ? std::min(seconds, kLongest_s) : 0;
}

bool has(const sip_msg* message, sip_hdrid header, const char* value) {
  return sip_msg_hdr_has_value(message, header, value);
}

}  // namespace

std::optional<SessionExpires> session_expires(const sip_msg* message) {
  const sip_hdr* const header = sip_msg_hdr(message, SIP_HDR_SESSION_EXPIRES);
  if (header == nullptr) return std::nullopt;
  const std::string text = libre::text_of(header->val);
  SessionExpires read{seconds_of(text), {}};
  for (const char* const who : {"uac", "uas"}) {
    if (text.find(fmt::format("refresher={}", who)) != std::string::npos) read.refresher = who;
  }
  return read.interval_s == 0 ? std::nullopt : std::optional(read);
}

SessionTimer::SessionTimer(SipStack& stack, Work work) : stack_(stack), work_(std::move(work)) {
  tmr_init(&timer_);
}

SessionTimer::~SessionTimer() {
  stop();
  mem_deref(auth_);
}

void SessionTimer::stop() {
  tmr_cancel(&timer_);
  mem_deref(std::exchange(request_, nullptr));
  call_ = nullptr;
}

void SessionTimer::note_peer(const sip_msg* message) {
  if (sip_msg_hdr(message, SIP_HDR_ALLOW) != nullptr) peer_updates_ = has(message, SIP_HDR_ALLOW, "UPDATE");
}

bool SessionTimer::accepts(const sip_msg* request) const {
  const auto asked = session_expires(request);
  return !asked || asked->interval_s >= static_cast<std::uint32_t>(stack_.options().least_session_s);
}

std::optional<std::string> SessionTimer::agree(const sip_msg* request) {
  if (!accepts(request)) return std::nullopt;
  note_peer(request);
  awaits_renewal_ = false;  // the far end renews it
  const auto asked = session_expires(request);
  agreed_ = asked.value_or(SessionExpires{});
  if (!asked) return kSipTimer;
  const bool peer_knows = has(request, SIP_HDR_SUPPORTED, "timer");
  refreshes_ = !peer_knows || asked->refresher == "uas";
  agreed_.refresher = refreshes_ ? "uas" : "uac";
  return fmt::format("{}{}Session-Expires: {};refresher={}\r\n", kSipTimer, peer_knows ? "Require: timer\r\n" : "",
                     agreed_.interval_s, agreed_.refresher);
}

std::string SessionTimer::refusal() const {
  return fmt::format("Min-SE: {}\r\nContent-Length: 0\r\n\r\n", stack_.options().least_session_s);
}

void SessionTimer::take(const sip_msg* reply) {
  note_peer(reply);
  agreed_ = session_expires(reply).value_or(SessionExpires{});
  if (agreed_.interval_s != 0) agreed_.interval_s = at_least(agreed_.interval_s);
  refreshes_ = agreed_.refresher != "uas";
}

// A far end's shorter interval is not a reason to send more.
std::uint32_t SessionTimer::at_least(std::uint32_t interval_s) const {
  return std::max(interval_s, static_cast<std::uint32_t>(stack_.options().least_session_s));
}

void SessionTimer::start(sipsess* call) {
  call_ = call;
  tmr_cancel(&timer_);
  if (agreed_.interval_s == 0 || call_ == nullptr) return;
  const std::uint64_t whole_ms = std::uint64_t{agreed_.interval_s} * 1000;
  const std::uint64_t before_ms = std::min(std::uint64_t{kBeforeEnd_s} * 1000, whole_ms / 3);
  tmr_start(&timer_, refreshes_ ? whole_ms / 2 : whole_ms - before_ms, &SessionTimer::on_due, this);
}

void SessionTimer::reinvited(const sip_msg* request) {
  awaits_renewal_ = false;
  note_peer(request);
  if (const auto asked = session_expires(request)) agreed_.interval_s = at_least(asked->interval_s);
  if (!peer_updates_) {
    if (!refreshes_) tmr_cancel(&timer_);
    return;
  }
  tmr_cancel(&timer_);
  if (agreed_.interval_s == 0 || call_ == nullptr) return;
  if (!voluntary_) had_to_refresh_ = refreshes_;
  voluntary_ = refreshes_ = true;
  agreed_.refresher = "uac";
  tmr_start(&timer_, kAfterReinvite_ms, &SessionTimer::on_due, this);
}

void SessionTimer::on_due(void* self) {
  auto& timer = *static_cast<SessionTimer*>(self);
  if (timer.refreshes_) return timer.refresh();
  timer.work_.ended({CallEndKind::hung_up, 0,
                     fmt::format("the other end did not renew the session within its {} s", timer.agreed_.interval_s)});
}

void SessionTimer::refresh() {
  challenges_ = 0;
  start(call_);
  ask();
}

void SessionTimer::ask() {
  if (request_ != nullptr) return;
  awaits_renewal_ = true;
  if (!peer_updates_) return work_.reinvite();
  if (auth_ == nullptr) (void)sip_auth_alloc(&auth_, &SessionTimer::on_challenge, this, false);
  (void)sip_drequestf(&request_, stack_.stack(), true, "UPDATE", sipsess_dialog(call_), 0, auth_,
                      &SessionTimer::add_contact, &SessionTimer::on_refreshed, this,
                      "%sSession-Expires: %u;refresher=uac\r\nContent-Length: 0\r\n\r\n", kSipTimer,
                      agreed_.interval_s);
}

int SessionTimer::add_contact(sip_transp transport, const sa* source, const sa*, mbuf* headers, void* self) {
  const auto& timer = *static_cast<SessionTimer*>(self);
  sip_contact contact{};
  sip_contact_set(&contact, timer.stack_.options().own.user.c_str(), source, transport);
  return mbuf_printf(headers, "%H", sip_contact_print, &contact);
}

int SessionTimer::on_challenge(char** user, char** password, const char*, void* self) {
  int first = 0;  // answer_challenge() of the timer counts
  return static_cast<SessionTimer*>(self)->stack_.answer_challenge(first, user, password);
}

// The nonce of the last refresh may have been for one request only, and libre takes a challenge that does not call it
// stale for a refused password. It then forgets the credentials of this realm only, so that the same challenge can be
// answered as a new one; those of a proxy or far end beside it stay. Each response counts, also one without a
// challenge. After the last one the next refresh is the one that is due.
void SessionTimer::answer_challenge(const sip_msg* reply) {
  if (++challenges_ > kMostChallenges) return;
  if (sip_auth_authenticate(auth_, reply) == 0 || sip_auth_authenticate(auth_, reply) == 0) ask();
}

// The far end's re-INVITE has just renewed the session, so it lasts.
void SessionTimer::give_up_takeover() {
  voluntary_ = peer_updates_ = awaits_renewal_ = false;
  refreshes_ = had_to_refresh_;
  if (!refreshes_) tmr_cancel(&timer_);
}

void SessionTimer::on_refreshed(int error, const sip_msg* reply, void* self) {
  auto& timer = *static_cast<SessionTimer*>(self);
  const int code = error == 0 ? reply->scode : 408;  // no response: as if it were a 408 (RFC 3261, 8.1.3.1)
  if (code < 200) return;
  if (code < 300) {
    timer.voluntary_ = timer.awaits_renewal_ = false;
    if (session_expires(reply)) timer.take(reply);
    return timer.start(timer.call_);
  }
  if (code == 401 || code == 407) return timer.answer_challenge(reply);
  const bool gone = code == 408 || code == 481, no_update = code == 405 || code == 501;
  if (timer.voluntary_ && (gone || no_update)) return timer.give_up_takeover();
  if (gone) {
    return timer.work_.ended(
        {CallEndKind::hung_up, error == 0 ? code : 0,
         error == 0 ? plain_text(libre::text_of(reply->reason)) : "no response when the session was to be renewed"});
  }
  if (no_update) {
    timer.peer_updates_ = false;
    timer.work_.reinvite();
  }
}

}  // namespace vqas
