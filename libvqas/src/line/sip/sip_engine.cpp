#include "line/sip/sip_engine.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "line/machine_clock.h"
#include "vqas/signal/plain_text.h"

namespace vqas {
namespace {

constexpr std::size_t kLongestName = 64;  // of a caller, who chooses it

std::string shortened(const std::string& name) {
  if (name.size() <= kLongestName) return name;
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;  // not inside a character
  return name.substr(0, end) + "…";
}

}  // namespace

SipAgent::Engine::Engine(const SipLineOptions& options, std::optional<SipAccount> account, const SocketAddress& rtp,
                         Change change, TraceByCall::Keep traced)
    : options_(options),
      rtp_(rtp),
      change_(std::move(change)),
      trace_(std::move(traced)),
      stack_(options, std::move(account),
             {[this](const sip_msg* request) { answer(request); },
              [this](const SipReply& reply) { registered(reply); },
              [this](const sip_msg* request) { return call_ && call_->update(request); },
              {[this](const SipTraced& entry) { trace_.add(monotonic_ns(), entry); },
               [this](const std::string& what) { warn(what); },
               [this](const SipWire::Unheard& what) { unheard(what); }}}) {}

void SipAgent::Engine::warn(const std::string& words) {
  change_([&](SipCallState& state) { state.warning += (state.warning.empty() ? "" : "; ") + words; });
}

void SipAgent::Engine::unheard(const SipWire::Unheard& what) {
  if (what.registers) registered({what.error, 0, {}});
  if (call_ && what.invites.contains(call_->call_id())) call_->unheard(what.error);
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
  warn(fmt::format("the registration could not be renewed; the call continues: {}", in_words(failed)));
}

void SipAgent::Engine::call_or_wait() {
  if (over_ || call_) return;
  if (options_.dial) {
    trace_.dialling(++calls_);
    make_call().dial();
    trace_.dialling(0);
    if (call_) trace_.name(call_->call_id(), calls_);
    return;
  }
  change_([](SipCallState& state) { state.phase = SipCallState::Phase::awaiting; });
}

SipCall& SipAgent::Engine::make_call() {
  gave_up_ = false;
  trace_.over(calls_);  // the one before
  call_ = std::make_unique<SipCall>(stack_, rtp_,
                                    [this](const std::function<void(SipCallState&)>& apply) { change_call(apply); });
  return *call_;
}

void SipAgent::Engine::change_call(const std::function<void(SipCallState&)>& apply) {
  change_([&](SipCallState& state) {
    apply(state);
    const bool is_over = state.phase == SipCallState::Phase::over;
    // The answer's confirmation has not come: the caller gave up, and the next one is awaited.
    if (is_over && !options_.dial && !up_ && state.end->kind == CallEndKind::hung_up) {
      gave_up_ = true;
      state.phase = SipCallState::Phase::awaiting;
      state.ended_ns = 0;
      state.warning = state.end->reason;
      state.end.reset();
      return;
    }
    up_ = state.phase == SipCallState::Phase::up;
    if (up_ && call_) trace_.confirm(call_->call_id());
    over_ = over_ || is_over;
  });
}

void SipAgent::Engine::answer(const sip_msg* request) {
  // A caller that does not confirm would else hold the line for 32 s (RFC 3261, 13.3.1.4).
  const std::int64_t patience_ns = std::int64_t{options_.confirm_s} * 1'000'000'000;
  if (call_ && call_->awaits_confirmation() && monotonic_ns() - answered_ns_ >= patience_ns) {
    call_->end({CallEndKind::hung_up, 0, "the caller did not confirm the answer (ACK)"});
  }
  const std::string caller = plain_text(libre::text_of(request->from.uri.user));
  const auto refuse = [&](std::uint16_t code, const char* why) {
    (void)sip_treply(nullptr, stack_.stack(), request, code, why);
  };
  if (libre::text_of(request->uri.user) != options_.own.user) return refuse(404, "Not Found");
  if (over_) return refuse(480, "Temporarily Unavailable");  // until the line is opened again
  if (options_.dial || (call_ && !gave_up_)) return refuse(486, "Busy Here");
  if (!options_.from.empty() && caller != options_.from) return refuse(603, "Decline");
  answered_ns_ = monotonic_ns();
  // Callers who are refused, or do not confirm, share budgets of the trace.
  const auto refused = make_call().answer(request, [&] { trace_.accept(libre::text_of(request->callid), ++calls_); });
  if (!refused) return;
  call_.reset();
  // Told at 1, 2, 4, 8, …
  if (!std::has_single_bit(++refused_)) return;
  const std::string count = refused_ > 1 ? fmt::format(" ({} until now)", refused_) : std::string();
  warn(fmt::format("a call from {} was refused ({}): {}{}", shortened(caller), refused->code, refused->reason, count));
}

void SipAgent::Engine::end(const CallEnd& how) {
  if (std::exchange(over_, true)) return;
  call_.reset();
  change_([&](SipCallState& state) {
    state.phase = SipCallState::Phase::over;
    state.ended_ns = monotonic_ns();
    state.end = how;
  });
}

void SipAgent::Engine::leave(std::function<void()> done) {
  over_ = true;
  call_.reset();
  stack_.leave(std::move(done));
}

}  // namespace vqas
