#include "vqas/relay/sip_proxy.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <optional>

#include "relay/sdp_rewrite.h"
#include "relay/sip_message.h"

namespace vqas {
namespace {

// How long a call's ports stay open after its end, for what is still under way and for a second try with a password.
constexpr double kAfterEnd_s = 3;
// A call that nobody answers: RFC 3261, clause 16.6 (timer C, more than three minutes).
constexpr double kUnanswered_s = 200;
constexpr int kDefaultExpires_s = 3600;

struct Call {
  std::uint64_t number = 0;
  std::string caller_tag;
  std::string callee_tag;  // of whoever answered; empty before
  std::array<SocketAddress, 2> listen;
  bool answered = false;
  bool over = false;             // BYE came
  std::optional<double> ends_s;  // when its ports are closed; none: not to be foreseen
  double told_s = 0;             // when the last message of it came
};

struct Registration {
  SocketAddress address;
  std::string contact;
  double ends_s = 0;
};

// Whether a request belongs to the dialogue of a call (RFC 3261, clause 12.2.2): who does not know its tags must not
// end it.
bool has_tags(const Call& call, const SipMessage& request) {
  const bool by_caller = request.from_tag() == call.caller_tag;
  if (!by_caller && request.to_tag() != call.caller_tag) return false;
  return call.callee_tag.empty() || (by_caller ? request.to_tag() : request.from_tag()) == call.callee_tag;
}

// Whose bodies describe sessions: RFC 3261, 3262 (PRACK), 3311 (UPDATE).
bool carries_session(const std::string& method) {
  return method == "INVITE" || method == "ACK" || method == "PRACK" || method == "UPDATE";
}

// FNV-1a, 64 bits (RFC 9923): branches need to differ, not to be secret.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001B3;
  return hash;
}

}  // namespace

struct SipProxy::State {
  SipOptions options;
  SipMedia media;
  std::map<std::string, Call> calls;  // by Call-ID
  std::map<std::string, Registration> registrations;
  std::uint64_t dropped = 0;

  bool is_self(const SipMessage::Target& target) const { return address_of(target) == options.self; }

  // Numeric hosts alone: a look-up could hold everybody up.
  static std::optional<SocketAddress> address_of(const SipMessage::Target& target) {
    in_addr address{};
    const std::string host = target.host == "localhost" ? "127.0.0.1" : target.host;
    if (target.port == 0 || ::inet_pton(AF_INET, host.c_str(), &address) != 1) return std::nullopt;
    return SocketAddress{ntohl(address.s_addr), target.port};
  }

  std::vector<Outgoing> answer(const SipMessage& request, int status, const char* reason, const SocketAddress& to,
                               const std::string& extra = {}) const {
    if (request.method() == "ACK") return {};
    return {{sip_response(request, status, reason, extra), to}};
  }

  std::vector<Outgoing> register_phone(const SipMessage& request, const SocketAddress& from, double now_s) {
    const std::string user = request.to_user();
    const std::string contact = request.contact_uri();
    const int expires = std::min(request.expires().value_or(kDefaultExpires_s), kDefaultExpires_s);
    if (user.empty()) return answer(request, 400, "No user in To", from);
    if (contact.empty()) return answer(request, 200, "OK", from);
    if (expires <= 0 || contact == "*") {
      // A phone that takes back an old contact does not take back the one that stands in its place.
      const auto known = registrations.find(user);
      if (known != registrations.end() && (contact == "*" || contact == known->second.contact)) {
        registrations.erase(known);
      }
      return answer(request, 200, "OK", from);
    }
    if (registrations.size() >= kMostRegistrations && !registrations.contains(user)) {
      return answer(request, 503, "Too many registrations", from);
    }
    registrations[user] = {from, contact, now_s + expires};
    return answer(request, 200, "OK", from, fmt::format("Contact: <{}>;expires={}\r\n", contact, expires));
  }

  // Where a request goes to; nothing where nobody knows.
  std::optional<SocketAddress> next_hop(SipMessage& request, double now_s) {
    auto route = request.top_route();
    if (route && is_self(*route)) {
      request.remove_top_route();
      route = request.top_route();
    }
    if (route) return address_of(*route);
    const SipMessage::Target target = request.request_target();
    if (!is_self(target)) return address_of(target);
    const auto phone = options.phones.find(target.user);
    if (phone != options.phones.end()) {
      request.set_request_target(phone->second);
      return phone->second;
    }
    const auto registered = registrations.find(target.user);
    if (registered == registrations.end() || registered->second.ends_s < now_s) return std::nullopt;
    if (!request.set_request_uri(registered->second.contact)) return std::nullopt;
    return registered->second.address;
  }

  Call* call_for(const SipMessage& message, double now_s) {
    const std::string id = message.call_id();
    const auto found = calls.find(id);
    if (found != calls.end()) {
      // Tried again, say with a password this time.
      Call& known = found->second;
      known.told_s = now_s;
      if (message.is_request() && message.method() == "INVITE" && !known.answered) known.ends_s = now_s + kUnanswered_s;
      return &known;
    }
    if (!message.is_request() || message.method() != "INVITE" || calls.size() >= kMostCalls) return nullptr;
    const auto opened = media.open();
    if (!opened) return nullptr;
    Call& call = calls[id];
    call.number = opened->number;
    call.caller_tag = message.from_tag();
    call.listen = {opened->directions[0].listen, opened->directions[1].listen};
    call.ends_s = now_s + kUnanswered_s;
    call.told_s = now_s;
    return &call;
  }

  // The session description of a message is its sender's: what it names is where the sender listens, what is put there
  // instead is where the other side shall speak to. Gives why a call cannot be relayed; then no description is left
  // that would lead its audio round the relay.
  std::optional<std::string> rewrite(SipMessage& message, const Call& call) const {
    if (message.hides_sdp()) {
      message.remove_bodies();
      return "its session description is encoded, without a type, or one of several";
    }
    const std::string sdp = message.sdp();
    if (sdp.empty()) return std::nullopt;
    // RFC 8866, clause 9: no octet of a line may be 0; readers would disagree where it ends.
    if (sdp.find('\0') != std::string::npos) {
      message.remove_bodies();
      return "its session description holds an octet of zero";
    }
    const bool by_caller = (message.from_tag() == call.caller_tag) == message.is_request();
    const Side sender = by_caller ? Side::a : Side::b;
    const SdpRewrite rewritten = rewrite_sdp(sdp, call.listen[static_cast<std::size_t>(other_side(sender))]);
    message.set_sdp(rewritten.text);
    if (rewritten.rtp) media.set_peer(call.number, sender, *rewritten.rtp);
    if (rewritten.foreign) return "its session description wants another network than IPv4";
    // A call that stands may turn its audio off, and on again later.
    if (rewritten.audio || (call.answered && rewritten.audio_off) || !message.is_request()) return std::nullopt;
    return "it offers no audio in plain RTP";
  }

  std::vector<Outgoing> request(SipMessage& message, const SocketAddress& from, double now_s) {
    message.mark_top_via(from);
    const std::string method = message.method();
    if (method == "REGISTER" && is_self(message.request_target())) return register_phone(message, from, now_s);
    if (!message.count_forward()) return answer(message, 483, "Too Many Hops", from);
    const auto repeated = SipMessage::parse(message.text());
    const auto via = message.top_via();
    if (!repeated || !via) return drop();
    const SipMessage& original = *repeated;
    const auto to = next_hop(message, now_s);
    if (!to && method == "OPTIONS" && is_self(original.request_target())) return answer(original, 200, "OK", from);
    if (!to) return answer(original, 404, "Not Found", from);
    Call* const call = call_for(message, now_s);
    if (method == "INVITE") {
      if (call == nullptr) return answer(original, 503, "No room for another call", from);
      message.push_record_route(fmt::format("<sip:{};lr>", to_string(options.self)));
    }
    if (call != nullptr && carries_session(method)) {
      const auto fault = rewrite(message, *call);
      if (fault)
        media.say(fmt::format("call {}: {} of {} is refused: {}", call->number, method, to_string(from), *fault));
      if (fault && method != "ACK") {
        if (!call->answered) call->ends_s = now_s;
        return answer(original, 488, "One audio stream in plain RTP over IPv4 wanted", from);
      }
    }
    if (call != nullptr && method == "BYE" && has_tags(*call, message)) {
      call->over = true;
      call->ends_s = now_s + kAfterEnd_s;
    }
    // By 16.11, what belongs together (INVITE, its CANCEL and the ACK of a refusal) gets the same branch.
    const std::string key = via->branch + message.call_id() + message.from_tag() + message.cseq_number();
    message.push_via(fmt::format("SIP/2.0/UDP {};branch=z9hG4bK-vqas-{:016x}", to_string(options.self), hash_of(key)));
    return {{message.text(), *to}};
  }

  static void note_answer(int status, Call& call, double now_s) {
    if (call.over || status < 200) return;
    if (status < 300) {
      call.answered = true;
      call.ends_s.reset();
    } else if (!call.answered) {  // a refusal of another INVITE within a call does not end it
      call.ends_s = now_s + kAfterEnd_s;
    }
  }

  std::vector<Outgoing> response(SipMessage& message, double now_s) {
    const auto own = message.top_via();
    if (!own || !is_self(own->sent_by)) return drop();
    message.remove_top_via();
    const auto via = message.top_via();
    if (!via) return drop();
    SipMessage::Target back = via->sent_by;
    if (!via->received.empty()) back.host = via->received;
    if (via->rport) back.port = *via->rport;
    const auto to = address_of(back);
    if (!to) return drop();
    if (Call* const call = call_for(message, now_s)) {
      if (carries_session(message.method())) {
        if (const auto fault = rewrite(message, *call)) {
          media.say(fmt::format("call {}: the answer has no audio: {}", call->number, *fault));
        }
      }
      if (message.method() == "INVITE") {
        if (!call->answered && message.status() >= 200 && message.status() < 300) call->callee_tag = message.to_tag();
        note_answer(message.status(), *call, now_s);
      }
    }
    return {{message.text(), *to}};
  }

  // The BYE of an answered call got lost, or a phone was switched off.
  bool is_forgotten(const Call& call, double now_s) const {
    return !call.ends_s && now_s - call.told_s >= options.call_timeout_s &&
           media.silent_s(call.number) >= options.call_timeout_s;
  }

  std::vector<Outgoing> drop() {
    ++dropped;
    return {};
  }
};

SipProxy::SipProxy(SipOptions options, SipMedia media)
    : state_(new State{std::move(options), std::move(media), {}, {}, 0}) {}

SipProxy::~SipProxy() {
  for (const auto& [id, call] : state_->calls) state_->media.close(call.number);
}

std::vector<SipProxy::Outgoing> SipProxy::take(std::string_view datagram, const SocketAddress& from, double now_s) {
  // Keep-alives of phones behind a NAT (RFC 5626): nothing but line ends.
  if (datagram.find_first_not_of("\r\n \0") == std::string_view::npos) return {};
  auto message = SipMessage::parse(datagram);
  if (!message) return state_->drop();
  return message->is_request() ? state_->request(*message, from, now_s) : state_->response(*message, now_s);
}

void SipProxy::expire(double now_s) {
  std::erase_if(state_->registrations, [now_s](const auto& known) { return known.second.ends_s < now_s; });
  for (auto call = state_->calls.begin(); call != state_->calls.end();) {
    if (state_->is_forgotten(call->second, now_s)) {
      state_->media.say(fmt::format("call {}: neither packets nor SIP for {} s; it is given up", call->second.number,
                                    state_->options.call_timeout_s));
      call->second.ends_s = now_s;
    }
    if (call->second.ends_s && *call->second.ends_s <= now_s) {
      state_->media.close(call->second.number);
      call = state_->calls.erase(call);
    } else {
      ++call;
    }
  }
}

std::uint64_t SipProxy::dropped() const {
  return state_->dropped;
}

std::size_t SipProxy::calls() const {
  return state_->calls.size();
}

}  // namespace vqas
