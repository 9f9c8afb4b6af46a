#include "line/sip/sip_engine.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "line/machine_clock.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr const char* kType = "application/sdp";

bool has_body(const sip_msg* message) {
  return mbuf_get_left(message->mb) > 0;
}

}  // namespace

SipAgent::Engine::Engine(const SipLineOptions& options, std::optional<SipAccount> account, const SocketAddress& rtp,
                         Change change)
    : options_(options),
      rtp_(rtp),
      change_(std::move(change)),
      stack_(
          options, std::move(account),
          {[this](const sip_msg* request) { answer(request); }, [this](const SipReply& reply) { registered(reply); }}) {
  tmr_init(&ring_timer_);
}

Status SipAgent::Engine::begin(const SocketAddress& local) {
  if (const Status open = stack_.open(local, 1); !open) return open.error();
  if (registers(options_, stack_.has_account())) {
    stack_.register_account();
  } else {
    call_or_wait();
  }
  return success();
}

// Called for each renewal too, which libre does by itself.
void SipAgent::Engine::registered(const SipReply& reply) {
  if (reply.error == 0 && reply.code >= 200 && reply.code < 300) {
    if (!std::exchange(is_registered_, true)) call_or_wait();
    return;
  }
  const CallEnd failed = end_of_registration(reply, stack_.has_account());
  if (!up_) {
    // Otherwise libre would try again, for as long as the line is open.
    stack_.give_up_registration();
    return end(failed);
  }
  change_([&](CallState& state) {
    state.warning = fmt::format("the registration could not be renewed; the call continues: {}", in_words(failed));
  });
}

void SipAgent::Engine::call_or_wait() {
  if (over_ || calling_) return;
  if (options_.dial) return dial();
  change_([](CallState& state) { state.phase = CallState::Phase::awaiting; });
}

void SipAgent::Engine::dial() {
  calling_ = true;
  begin_media();
  const auto offer = media_->description(true);
  const std::string own = sip_uri(options_.own, SipTransport::udp);
  const std::string other = sip_uri(*options_.dial, options_.transport);
  std::array<const char*, 1> route{stack_.route().c_str()};
  change_([](CallState& state) {
    state.phase = CallState::Phase::dialling;
    state.begun_ns = monotonic_ns();
  });
  const int error =
      sipsess_connect(&call_, stack_.door(), other.c_str(), nullptr, own.c_str(), options_.own.user.c_str(),
                      route.data(), stack_.route().empty() ? 0 : 1, kType, offer.get(), &Engine::on_challenge, this,
                      false, &Engine::on_offer, &Engine::on_answer, &Engine::on_progress, &Engine::on_established,
                      nullptr, nullptr, &Engine::on_closed, this, "%s", kSipAllow);
  if (error != 0) return end(end_of_invite({error, 0, {}}, false, false));
  tmr_start(&ring_timer_, static_cast<std::uint64_t>(options_.ring_s) * 1000, &Engine::on_rang_long_enough, this);
}

// Releasing the call sends CANCEL.
void SipAgent::Engine::on_rang_long_enough(void* self) {
  auto& engine = *static_cast<Engine*>(self);
  engine.end({engine.rang_ ? CallEndKind::no_answer : CallEndKind::unreachable, 0,
              fmt::format("{} for {} s", engine.rang_ ? "it rang" : "no response", engine.options_.ring_s)});
}

void SipAgent::Engine::on_progress(const sip_msg* reply, void* self) {
  auto& engine = *static_cast<Engine*>(self);
  if (reply->scode < 180) return;
  engine.rang_ = true;
  engine.change_([](CallState& state) {
    if (state.rang_ns == 0) state.rang_ns = monotonic_ns();
  });
  // With early media the answer comes here, and the 200 may have none.
  if (has_body(reply)) (void)engine.take_media(reply->mb, false);
}

void SipAgent::Engine::begin_media() {
  media_.emplace(rtp_, options_.media);
  agreed_ = false;
}

Status SipAgent::Engine::take_media(mbuf* body, bool offer) {
  const auto agreed = media_->take(body, offer);
  if (!agreed) return agreed.error();
  agreed_ = true;
  change_([&](CallState& state) {
    const AgreedMedia before = state.media;
    state.media = *agreed;
    // Where a hold gives no address, the audio continues to the former one.
    if (agreed->remote.host == 0) state.media.remote = before.remote;
    if (const std::string words = change_in_words(before, state.media); up_ && !words.empty()) state.warning = words;
  });
  return success();
}

int SipAgent::Engine::on_answer(const sip_msg* message, void* self) {
  auto& engine = *static_cast<Engine*>(self);
  if (!has_body(message)) {
    if (engine.agreed_) return 0;  // by the 183
    engine.ends_as_ = CallEnd{CallEndKind::rejected, message->scode, "its answer has no session description"};
    return EBADMSG;
  }
  const Status taken = engine.take_media(message->mb, false);
  if (taken) return 0;
  engine.ends_as_ = CallEnd{CallEndKind::rejected, message->scode, taken.error().message};
  return EBADMSG;
}

// A re-INVITE: with an offer, or with the request for one.
int SipAgent::Engine::on_offer(mbuf** description, const sip_msg* message, void* self) {
  auto& engine = *static_cast<Engine*>(self);
  const bool offered = has_body(message);
  if (const Status taken = offered ? engine.take_media(message->mb, true) : success(); !taken) {
    engine.change_(
        [&](CallState& state) { state.warning = "a change of the call was refused (488): " + taken.error().message; });
    return EPROTO;
  }
  *description = engine.media_->description(!offered).release();
  return *description == nullptr ? ENOMEM : 0;
}

void SipAgent::Engine::on_established(const sip_msg*, void* self) {
  auto& engine = *static_cast<Engine*>(self);
  tmr_cancel(&engine.ring_timer_);
  engine.challenges_ = 0;
  engine.up_ = true;
  engine.change_([](CallState& state) {
    state.phase = CallState::Phase::up;
    state.answered_ns = monotonic_ns();
  });
}

void SipAgent::Engine::answer(const sip_msg* request) {
  const std::string caller = plain_text(libre::text_of(request->from.uri.user));
  const auto refuse = [&](std::uint16_t code, const char* why) {
    (void)sip_treply(nullptr, stack_.stack(), request, code, why);
  };
  if (libre::text_of(request->uri.user) != options_.own.user) return refuse(404, "Not Found");
  if (over_) return refuse(480, "Temporarily Unavailable");  // until the line is opened again
  if (options_.dial || calling_) return refuse(486, "Busy Here");
  if (!options_.from.empty() && caller != options_.from) return refuse(603, "Decline");
  begin_media();
  if (const Status taken = has_body(request) ? take_media(request->mb, true) : success(); !taken) {
    refuse(488, "Not Acceptable Here");
    return change_([&](CallState& state) {
      state.warning = fmt::format("a call from {} was refused (488): {}", caller, taken.error().message);
    });
  }
  const auto description = media_->description(!has_body(request));
  change_([&](CallState& state) {
    state.begun_ns = state.rang_ns = monotonic_ns();
    state.other = caller;
  });
  calling_ = true;
  int error = sipsess_accept(&call_, stack_.door(), request, 180, "Ringing", options_.own.user.c_str(), kType, nullptr,
                             &Engine::on_challenge, this, false, &Engine::on_offer, &Engine::on_answer,
                             &Engine::on_established, nullptr, nullptr, &Engine::on_closed, this, "%s", kSipAllow);
  if (error == 0) error = sipsess_answer(call_, 200, "OK", description.get(), "%s", kSipAllow);
  if (error != 0) close({error, 0, {}});
}

void SipAgent::Engine::on_closed(int error, const sip_msg* reply, void* self) {
  auto& engine = *static_cast<Engine*>(self);
  engine.close(engine.stack_.as_reply(error, reply));
}

void SipAgent::Engine::close(const SipReply& reply) {
  if (ends_as_) return end(*ends_as_);
  if (up_) {
    // libre's sign for the far end's BYE; anything else is a session that broke.
    const bool bye = reply.error == ECONNRESET && reply.code == 0;
    return end({CallEndKind::hung_up, reply.code, bye ? "BYE" : as_text(reply)});
  }
  if (options_.dial) return end(end_of_invite(reply, rang_, stack_.has_account()));
  // A caller that gave up before the answer: the next one is awaited.
  release_call();
  calling_ = false;
  change_([](CallState& state) { state.warning = "a caller gave up before the call was up"; });
}

std::string SipAgent::Engine::as_text(const SipReply& reply) {
  return reply.code != 0 ? plain_text(reply.reason) : system_error_text(reply.error);
}

void SipAgent::Engine::end(const CallEnd& how) {
  if (std::exchange(over_, true)) return;
  release_call();
  change_([&](CallState& state) {
    state.phase = CallState::Phase::over;
    state.ended_ns = monotonic_ns();
    state.end = how;
  });
}

void SipAgent::Engine::release_call() {
  tmr_cancel(&ring_timer_);
  mem_deref(std::exchange(call_, nullptr));
}

int SipAgent::Engine::on_challenge(char** user, char** password, const char*, void* self) {
  auto& engine = *static_cast<Engine*>(self);
  return engine.stack_.answer_challenge(engine.challenges_, user, password);
}

void SipAgent::Engine::leave(std::function<void()> done) {
  over_ = true;
  release_call();
  stack_.leave(std::move(done));
}

}  // namespace vqas
