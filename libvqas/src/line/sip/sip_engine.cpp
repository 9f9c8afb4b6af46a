#include "line/sip/sip_engine.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "line/machine_clock.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr std::uint32_t kBuckets = 16;        // of libre's tables: one call needs few
constexpr std::uint32_t kRegistered_s = 600;  // asked for; the registrar may choose less
constexpr int kMostChallenges = 2;            // a second one is usual when a nonce has expired
constexpr const char* kType = "application/sdp";
constexpr const char* kAllow = "Allow: INVITE,ACK,BYE,CANCEL,OPTIONS\r\n";
constexpr const char* kSoftware = "VQAS";

std::string error_text(int number) {
  return system_error_text(number);
}

bool has_body(const sip_msg* message) {
  return mbuf_get_left(message->mb) > 0;
}

}  // namespace

SipAgent::Engine::Engine(const SipLineOptions& options, std::optional<SipAccount> account, const SocketAddress& rtp,
                         Change change)
    : options_(options), account_(std::move(account)), rtp_(rtp), change_(std::move(change)) {
  tmr_init(&ring_timer_);
}

// leave() gave up this end's reference to the stack, and libre took it back for the call of on_exit(). Before that,
// calls and requests that wait for a word of the far end hold the stack: they are ended. Should one remain, the ports
// are freed, and the rest of the stack stays in memory.
SipAgent::Engine::~Engine() {
  if (stack_ == nullptr) return;
  if (!left_) leave([] {});
  if (!has_exited_) {
    sipsess_close_all(door_);
    sip_close(stack_, true);
  }
  mem_deref(door_);
  if (has_exited_) {
    mem_deref(stack_);
  } else {
    sip_transp_flush(stack_);
  }
}

Status SipAgent::Engine::begin(const SocketAddress& local) {
  if (const Status open = open_stack(local); !open) return open.error();
  if (registers(options_, account_.has_value())) {
    register_account();
  } else {
    call_or_wait();
  }
  return success();
}

// A refused certificate is seen by libre as a broken connection.
SipReply SipAgent::Engine::as_reply(int error, const sip_msg* message) const {
  if (message != nullptr) return {error, message->scode, libre::text_of(message->reason)};
  return {error, 0, trust_.fault};
}

Status SipAgent::Engine::open_stack(const SocketAddress& local) {
  if (options_.transport == SipTransport::tls) {
    const SipParty* const server = first_hop(options_, account_.has_value());
    // This end has no certificate, and checks one name only.
    if (server == nullptr || (!options_.proxy && options_.dial && options_.dial->host != server->host)) {
      return Error{ErrorCode::bad_input,
                   options_.name +
                       ": transport=tls needs one server: a registrar, at which the other end is called "
                       "too, or a proxy"};
    }
    trust_.host = server->host;
  }
  const sa address = libre::as_sa(local);
  // Without a list of name servers, only addresses in figures can be called.
  std::array<sa, 4> servers{};
  auto count = static_cast<std::uint32_t>(servers.size());
  dnsc* resolver = nullptr;
  if (dns_srv_get(nullptr, 0, servers.data(), &count) == 0) (void)dnsc_alloc(&resolver, nullptr, servers.data(), count);
  int error = sip_alloc(&stack_, resolver, kBuckets, kBuckets, kBuckets, kSoftware, &Engine::on_exit, this);
  mem_deref(resolver);
  if (error == 0 && options_.transport == SipTransport::tls) {
    const auto settings = tls_with_trust(trust_, options_.ca);
    if (!settings) return settings.error();
    error = sip_transp_add(stack_, SIP_TRANSP_TLS, &address, *settings);
    mem_deref(*settings);
  } else if (error == 0) {
    error = sip_transp_add(stack_, options_.transport == SipTransport::tcp ? SIP_TRANSP_TCP : SIP_TRANSP_UDP, &address);
  }
  if (error == 0) error = sipsess_listen(&door_, stack_, kBuckets, &Engine::on_invite, this);
  if (error == 0) error = sip_listen(&requests_, stack_, true, &Engine::on_other_request, this);
  if (error == 0) error = sip_listen(&responses_, stack_, false, &Engine::on_other_response, this);
  if (error == 0) return success();
  return Error{ErrorCode::io,
               fmt::format("{}: cannot take the {} port {} for SIP: {}; choose another one by listen=", options_.name,
                           word_of(options_.transport), to_string(local), error_text(error))};
}

void SipAgent::Engine::register_account() {
  const std::string own = sip_uri({options_.own.user, options_.own.host, options_.own.port}, SipTransport::udp);
  const std::string registrar = sip_uri({"", options_.own.host, options_.own.port}, options_.transport);
  const std::string proxy = options_.proxy ? sip_uri(*options_.proxy, options_.transport) + ";lr" : std::string();
  std::array<const char*, 1> route{proxy.c_str()};
  const int error = sipreg_register(&registration_, stack_, registrar.c_str(), own.c_str(), nullptr, own.c_str(),
                                    kRegistered_s, options_.own.user.c_str(), route.data(), options_.proxy ? 1 : 0, 0,
                                    &Engine::on_challenge, this, false, &Engine::on_registered, this, nullptr, nullptr);
  if (error != 0) registered({error, 0, {}});
}

void SipAgent::Engine::on_registered(int error, const sip_msg* reply, void* self) {
  auto& engine = *static_cast<Engine*>(self);
  engine.registered(engine.as_reply(error, reply));
}

// Called for each renewal too, which libre does by itself.
void SipAgent::Engine::registered(const SipReply& reply) {
  if (reply.error == 0 && reply.code >= 200 && reply.code < 300) {
    challenges_ = 0;
    if (!std::exchange(is_registered_, true)) call_or_wait();
    return;
  }
  const CallEnd failed = end_of_registration(reply, account_.has_value());
  if (!up_) {
    // Otherwise libre would try again, for as long as the line is open.
    mem_deref(std::exchange(registration_, nullptr));
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
  const std::string proxy = options_.proxy ? sip_uri(*options_.proxy, options_.transport) + ";lr" : std::string();
  std::array<const char*, 1> route{proxy.c_str()};
  change_([](CallState& state) {
    state.phase = CallState::Phase::dialling;
    state.begun_ns = monotonic_ns();
  });
  const int error = sipsess_connect(&call_, door_, other.c_str(), nullptr, own.c_str(), options_.own.user.c_str(),
                                    route.data(), options_.proxy ? 1 : 0, kType, offer.get(), &Engine::on_challenge,
                                    this, false, &Engine::on_offer, &Engine::on_answer, &Engine::on_progress,
                                    &Engine::on_established, nullptr, nullptr, &Engine::on_closed, this, "%s", kAllow);
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

void SipAgent::Engine::on_invite(const sip_msg* request, void* self) {
  static_cast<Engine*>(self)->answer(request);
}

void SipAgent::Engine::answer(const sip_msg* request) {
  const std::string caller = plain_text(libre::text_of(request->from.uri.user));
  const auto refuse = [&](std::uint16_t code, const char* why) {
    (void)sip_treply(nullptr, stack_, request, code, why);
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
  int error = sipsess_accept(&call_, door_, request, 180, "Ringing", options_.own.user.c_str(), kType, nullptr,
                             &Engine::on_challenge, this, false, &Engine::on_offer, &Engine::on_answer,
                             &Engine::on_established, nullptr, nullptr, &Engine::on_closed, this, "%s", kAllow);
  if (error == 0) error = sipsess_answer(call_, 200, "OK", description.get(), "%s", kAllow);
  if (error != 0) close({error, 0, {}});
}

void SipAgent::Engine::on_closed(int error, const sip_msg* reply, void* self) {
  auto& engine = *static_cast<Engine*>(self);
  engine.close(engine.as_reply(error, reply));
}

void SipAgent::Engine::close(const SipReply& reply) {
  if (ends_as_) return end(*ends_as_);
  if (up_) {
    // libre's sign for the far end's BYE; anything else is a session that broke.
    const bool bye = reply.error == ECONNRESET && reply.code == 0;
    return end({CallEndKind::hung_up, reply.code, bye ? "BYE" : as_text(reply)});
  }
  if (options_.dial) return end(end_of_invite(reply, rang_, account_.has_value()));
  // A caller that gave up before the answer: the next one is awaited.
  release_call();
  calling_ = false;
  change_([](CallState& state) { state.warning = "a caller gave up before the call was up"; });
}

std::string SipAgent::Engine::as_text(const SipReply& reply) {
  return reply.code != 0 ? plain_text(reply.reason) : error_text(reply.error);
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
  // libre would try sixteen times, and registrars lock accounts.
  if (!engine.account_ || ++engine.challenges_ > kMostChallenges) return EAUTH;
  const int error = str_dup(user, engine.account_->user.c_str());
  return error != 0 ? error : str_dup(password, engine.account_->password.c_str());
}

bool SipAgent::Engine::on_other_request(const sip_msg* request, void* self) {
  auto& engine = *static_cast<Engine*>(self);
  if (pl_strcmp(&request->met, "ACK") == 0) return true;
  if (pl_strcmp(&request->met, "CANCEL") == 0 || pl_strcmp(&request->met, "BYE") == 0) {
    // Both ends may hang up at once.
    (void)sip_reply(engine.stack_, request, 481, "Call Does Not Exist");
    return true;
  }
  const bool asks = pl_strcmp(&request->met, "OPTIONS") == 0;
  (void)sip_replyf(engine.stack_, request, asks ? 200 : 501, asks ? "OK" : "Not Implemented",
                   "%sContent-Length: 0\r\n\r\n", kAllow);
  return true;
}

// Late copies; libre would print them.
bool SipAgent::Engine::on_other_response(const sip_msg*, void*) {
  return true;
}

void SipAgent::Engine::leave(std::function<void()> done) {
  over_ = true;
  left_ = std::move(done);
  release_call();
  mem_deref(std::exchange(registration_, nullptr));
  sip_close(stack_, false);
}

void SipAgent::Engine::on_exit(void* self) {
  auto& engine = *static_cast<Engine*>(self);
  if (!std::exchange(engine.has_exited_, true)) engine.left_();
}

}  // namespace vqas
