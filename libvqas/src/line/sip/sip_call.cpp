#include "line/sip/sip_call.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "line/machine_clock.h"
#include "line/socket.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr const char* kType = "application/sdp";

bool has_body(const sip_msg* message) {
  return mbuf_get_left(message->mb) > 0;
}

}  // namespace

SipCall::SipCall(SipStack& stack, const SocketAddress& rtp, Change change)
    : stack_(stack),
      change_(std::move(change)),
      media_(rtp, stack.options().media),
      session_(stack, {[this] { reinvite(); }, [this](const CallEnd& how) { end(how); }}) {
  tmr_init(&ring_timer_);
}

SipCall::~SipCall() {
  release();
}

void SipCall::release() {
  tmr_cancel(&ring_timer_);
  session_.stop();
  mem_deref(std::exchange(call_, nullptr));
}

// Of the session, unchanged (RFC 4028, 7.4).
void SipCall::reinvite() {
  if (const auto offer = media_.description(true)) (void)sipsess_modify(call_, offer.get());
}

std::string SipCall::call_id() const {
  const char* const id = call_ == nullptr ? nullptr : sip_dialog_callid(sipsess_dialog(call_));
  return id == nullptr ? std::string() : id;
}

void SipCall::dial() {
  dials_ = true;
  const SipLineOptions& line = stack_.options();
  const auto offer = media_.description(true);
  const std::string own = sip_uri(line.own, SipTransport::udp);
  const std::string other = sip_uri(*line.dial, line.transport);
  std::array<const char*, 1> route{stack_.route().c_str()};
  change_([](SipCallState& state) {
    state.phase = SipCallState::Phase::dialling;
    state.begun_ns = monotonic_ns();
  });
  const int error =
      sipsess_connect(&call_, stack_.door(), other.c_str(), nullptr, own.c_str(), line.own.user.c_str(), route.data(),
                      stack_.route().empty() ? 0 : 1, kType, offer.get(), &SipCall::on_challenge, this, false,
                      &SipCall::on_offer, &SipCall::on_answer, &SipCall::on_progress, &SipCall::on_established, nullptr,
                      nullptr, &SipCall::on_closed, this, "%s%s", kSipAllow, kSipTimer);
  if (error != 0) return end(end_of_invite({error, 0, {}}, false, false));
  tmr_start(&ring_timer_, static_cast<std::uint64_t>(line.ring_s) * 1000, &SipCall::on_rang_long_enough, this);
}

void SipCall::unheard(int error) {
  if (dials_ && !up_ && !responded_) close({error, 0, {}});
}

std::optional<CallEnd> SipCall::answer(const sip_msg* request, const std::function<void()>& accepts) {
  const Status taken = has_body(request) ? take_media(request->mb, true) : success();
  if (!taken) {
    (void)sip_treply(nullptr, stack_.stack(), request, 488, "Not Acceptable Here");
    return CallEnd{CallEndKind::rejected, 488, taken.error().message};
  }
  const auto timer = session_.agree(request);
  if (!timer) {
    (void)sip_treplyf(nullptr, nullptr, stack_.stack(), request, false, 422, "Session Interval Too Small", "%s",
                      session_.refusal().c_str());
    return CallEnd{CallEndKind::rejected, 422, "its session timer is too short"};
  }
  if (accepts) accepts();
  const auto description = media_.description(!has_body(request));
  change_([&](SipCallState& state) {
    state.phase = SipCallState::Phase::awaiting;
    state.begun_ns = state.rang_ns = monotonic_ns();
    state.other = plain_text(libre::text_of(request->from.uri.user));
  });
  int error = sipsess_accept(&call_, stack_.door(), request, 180, "Ringing", stack_.options().own.user.c_str(), kType,
                             nullptr, &SipCall::on_challenge, this, false, &SipCall::on_offer, &SipCall::on_answer,
                             &SipCall::on_established, nullptr, nullptr, &SipCall::on_closed, this, "%s", kSipAllow);
  if (error == 0) error = sipsess_answer(call_, 200, "OK", description.get(), "%s%s", kSipAllow, timer->c_str());
  if (error != 0) close({error, 0, {}});
  return std::nullopt;
}

// Releasing the call sends CANCEL.
void SipCall::on_rang_long_enough(void* self) {
  auto& call = *static_cast<SipCall*>(self);
  call.end({call.rang_ ? CallEndKind::no_answer : CallEndKind::unreachable, 0,
            fmt::format("{} for {} s", call.rang_ ? "it rang" : "no response", call.stack_.options().ring_s)});
}

void SipCall::note_response() {
  if (!std::exchange(responded_, true)) change_([](SipCallState& state) { state.responded = true; });
}

void SipCall::on_progress(const sip_msg* reply, void* self) {
  auto& call = *static_cast<SipCall*>(self);
  call.note_response();
  if (reply->scode < 180) return;
  call.rang_ = true;
  call.change_([](SipCallState& state) {
    if (state.rang_ns == 0) state.rang_ns = monotonic_ns();
  });
  // With early media the answer comes here, and the 200 may have none.
  if (has_body(reply)) (void)call.take_media(reply->mb, false);
}

Status SipCall::take_media(mbuf* body, bool offer) {
  const auto agreed = media_.take(body, offer);
  if (!agreed) return agreed.error();
  agreed_ = true;
  change_([&](SipCallState& state) {
    const AgreedMedia before = state.media;
    state.media = *agreed;
    // Where a hold gives no address, the audio continues to the former one.
    if (agreed->remote.host == 0) state.media.remote = before.remote;
    if (const std::string words = change_in_words(before, state.media); up_ && !words.empty()) state.warning = words;
  });
  return success();
}

void SipCall::warn(const std::string& words) {
  change_([&](SipCallState& state) { state.warning = words; });
}

int SipCall::on_answer(const sip_msg* message, void* self) {
  auto& call = *static_cast<SipCall*>(self);
  // To a renewal by this end, or to an offer that a re-INVITE of the far end asked for.
  if (call.up_) {
    call.session_.renewed();
    const Status taken = has_body(message) ? call.take_media(message->mb, false) : success();
    if (!taken) call.warn("the other end's answer within the call cannot be taken: " + taken.error().message);
    return 0;
  }
  if (!has_body(message)) {
    if (call.agreed_) return 0;  // by the 183
    call.ends_as_ = CallEnd{CallEndKind::rejected, message->scode, "its answer has no session description"};
    return EBADMSG;
  }
  const Status taken = call.take_media(message->mb, false);
  if (taken) return 0;
  call.ends_as_ = CallEnd{CallEndKind::rejected, message->scode, taken.error().message};
  return EBADMSG;
}

// A re-INVITE: with an offer, or with the request for one.
int SipCall::on_offer(mbuf** description, const sip_msg* message, void* self) {
  auto& call = *static_cast<SipCall*>(self);
  const bool offered = has_body(message);
  if (const Status taken = offered ? call.take_media(message->mb, true) : success(); !taken) {
    call.warn("a change of the call was refused (488): " + taken.error().message);
    return EPROTO;
  }
  *description = call.media_.description(!offered).release();
  call.session_.reinvited(message);
  return *description == nullptr ? ENOMEM : 0;
}

bool SipCall::update(const sip_msg* request) {
  if (call_id().empty() || call_id() != libre::text_of(request->callid)) return false;
  sip_dialog* const dialog = sipsess_dialog(call_);
  const auto refuse = [&](std::uint16_t code, const char* why) {
    (void)sip_reply(stack_.stack(), request, code, why);
    return true;
  };
  // Early media are not played, so nothing need change before the answer.
  if (!up_) return refuse(491, "Request Pending");
  if (!sip_dialog_cmp(dialog, request)) return false;
  if (!sip_dialog_rseq_valid(dialog, request)) return refuse(500, "Server Internal Error");
  // Before the media change: a refused UPDATE changes nothing (RFC 3311, 5.2).
  if (!session_.accepts(request)) {
    (void)sip_replyf(stack_.stack(), request, 422, "Session Interval Too Small", "%s", session_.refusal().c_str());
    return true;
  }
  const bool offered = has_body(request);
  if (const Status taken = offered ? take_media(request->mb, true) : success(); !taken) {
    warn("a change of the call was refused (488): " + taken.error().message);
    return refuse(488, "Not Acceptable Here");
  }
  const std::string timer = session_.agree(request).value_or(std::string());
  (void)sip_dialog_update(dialog, request);
  const auto answer = offered ? media_.description(false) : nullptr;
  sip_contact contact{};
  sip_contact_set(&contact, stack_.options().own.user.c_str(), &request->dst, request->tp);
  (void)sip_replyf(stack_.stack(), request, 200, "OK", "%H%s%sContent-Length: %zu\r\n\r\n%b", sip_contact_print,
                   &contact, timer.c_str(), answer ? "Content-Type: application/sdp\r\n" : "",
                   answer ? mbuf_get_left(answer.get()) : std::size_t{0}, answer ? mbuf_buf(answer.get()) : nullptr,
                   answer ? mbuf_get_left(answer.get()) : std::size_t{0});
  session_.start(call_);
  return true;
}

void SipCall::on_established(const sip_msg* message, void* self) {
  auto& call = *static_cast<SipCall*>(self);
  tmr_cancel(&call.ring_timer_);
  call.challenges_ = 0;
  call.up_ = true;
  if (call.dials_) call.session_.take(message);
  call.session_.start(call.call_);
  call.change_([](SipCallState& state) {
    state.phase = SipCallState::Phase::up;
    state.answered_ns = monotonic_ns();
  });
}

void SipCall::on_closed(int error, const sip_msg* reply, void* self) {
  auto& call = *static_cast<SipCall*>(self);
  call.close(call.stack_.as_reply(error, reply));
}

void SipCall::close(const SipReply& reply) {
  if (ends_as_) return end(*ends_as_);
  if (dials_ && !up_) return end(end_of_invite(reply, rang_, stack_.has_account()));
  // libre's sign for the far end's BYE; anything else is a session that broke.
  const bool bye = up_ && reply.error == ECONNRESET && reply.code == 0;
  std::string why = bye ? "BYE" : reply.code != 0 ? plain_text(reply.reason) : system_error_text(reply.error);
  // libre tells no refusal of a re-INVITE, so the end may be all that is seen of it.
  if (bye && session_.awaits_renewal()) why = "BYE; it had not accepted the last renewal of the session";
  if (reply.error == ETIMEDOUT && session_.awaits_renewal()) why = "no response when the session was to be renewed";
  if (!up_) why = "the caller gave up before the call was up";
  end({CallEndKind::hung_up, reply.code, why, bye});
}

void SipCall::end(const CallEnd& how) {
  if (std::exchange(over_, true)) return;
  release();
  change_([&](SipCallState& state) {
    state.phase = SipCallState::Phase::over;
    state.ended_ns = monotonic_ns();
    state.end = how;
  });
}

int SipCall::on_challenge(char** user, char** password, const char*, void* self) {
  auto& call = *static_cast<SipCall*>(self);
  call.note_response();
  return call.stack_.answer_challenge(call.challenges_, user, password);
}

}  // namespace vqas
