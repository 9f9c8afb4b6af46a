#include "relay/sip_proxy.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <optional>

#include "relay/sdp_rewrite.h"
#include "relay/sip_message.h"
#include "relay/sip_registrar.h"
#include "relay/sip_standing.h"

namespace vqas {
namespace {

// How long a call's ports stay open after its end, for packets under way and for a second try with a password.
constexpr double kAfterEnd_s = 3;

// Methods whose bodies describe sessions: RFC 3261, 3262 (PRACK), 3311 (UPDATE).
bool carries_session(const std::string& method) {
  return method == "INVITE" || method == "ACK" || method == "PRACK" || method == "UPDATE";
}

// Accepts numeric hosts of one machine only: a name look-up could delay every call.
std::optional<SocketAddress> address_of(const SipMessage::Target& target) {
  in_addr host{};
  const std::string text = target.host == "localhost" ? "127.0.0.1" : target.host;
  if (target.port == 0 || ::inet_pton(AF_INET, text.c_str(), &host) != 1) return std::nullopt;
  const SocketAddress address{ntohl(host.s_addr), target.port};
  return is_unicast(address) ? std::optional(address) : std::nullopt;
}

// Destination by its Via, at the host it came from (clause 18.2.2, RFC 3581).
SocketAddress back_to(const SipMessage::Via& via, const SocketAddress& from) {
  const std::uint16_t port = via.wants_rport || via.sent_by.port == 0 ? from.port : via.sent_by.port;
  return {from.host, port};
}

}  // namespace

struct SipProxy::State {
  using Kind = SipStanding::Kind;
  using Out = std::vector<Outgoing>;

  SipOptions options;
  SipMedia media;
  ProxyCalls calls;
  SipTransactions transactions;
  SipRegistrar registrar{kMostRegistrations};
  SipCounters counters;

  State(SipOptions given, SipMedia given_media)
      : options(std::move(given)),
        media(std::move(given_media)),
        calls({options.self}, kMostCalls),
        transactions({options.self}) {}

  bool is_self(const SipMessage::Target& target) const { return address_of(target) == options.self; }

  static Out answer(const SipMessage& request, int status, const char* reason, const SocketAddress& to) {
    if (request.method() == "ACK") return {};
    return {{sip_response(request, status, reason), to}};
  }

  // Destination of a request; nothing if unknown.
  std::optional<SocketAddress> next_hop(SipMessage& request, double now_s) const {
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
    const auto* const registered = registrar.find(target.user, now_s);
    if (registered == nullptr || !request.set_request_uri(registered->contact)) return std::nullopt;
    return registered->address;
  }

  // A side's own addresses: Contact, and the Record-Route entries between it and the relay.
  void learn_hosts(ProxyCall& call, End side, const SipMessage& message) const {
    std::vector<SipMessage::Target> named;
    if (const auto contact = message.contact_target()) named.push_back(*contact);
    for (const auto& route : message.record_routes()) {
      if (is_self(route)) break;
      named.push_back(route);
    }
    for (const auto& one : named) {
      if (const auto address = address_of(one)) calls.learn(call, side, address->host);
    }
  }

  // Rewrites the session description of a message: it names where its sender listens, and is changed to name where the
  // other side must send. Returns why a call cannot be relayed; then no description is left that would let audio bypass
  // the relay.
  std::optional<std::string> rewrite(SipMessage& message, const ProxyCall& call, End sender) const {
    if (message.hides_sdp()) {
      message.remove_bodies();
      return "its session description is encoded, has no type, is one of several, or is in parts that cannot be read";
    }
    const std::string sdp = message.sdp();
    if (sdp.empty()) return std::nullopt;
    if (has_ambiguous_line(sdp)) {
      message.remove_bodies();
      return "its session description contains a zero octet, or a carriage return within a line";
    }
    const SdpRewrite rewritten = rewrite_sdp(sdp, call.listen[static_cast<std::size_t>(other_end(sender))]);
    message.set_sdp(rewritten.text);
    if (rewritten.rtp) media.set_peer(call.number, sender, *rewritten.rtp);
    if (rewritten.foreign) return "its session description wants a network other than IPv4";
    if (rewritten.unusable) {
      return fmt::format("its session description wants audio at {}, which is not the address of one machine",
                         host_text(*rewritten.unusable));
    }
    if (!message.is_request()) return std::nullopt;
    // Only an established call can be on hold.
    if (rewritten.on_hold && !call.answered) return "its session description wants audio at 0.0.0.0";
    // An established call may turn its audio off, and on again later.
    if (rewritten.audio || (call.answered && rewritten.audio_off)) return std::nullopt;
    return "it offers no audio in plain RTP";
  }

  void close(ProxyCall& call) {
    media.close(call.number);
    calls.erase(call);
  }

  // Ends an INVITE that never got its final response, by clause 16.8.
  Out give_up(SipTransaction& invitation, double now_s) {
    Out out;
    if (auto sent = SipMessage::parse(invitation.sent)) {
      if (invitation.rang) out.push_back({sip_cancel(*sent), invitation.to});
      sent->remove_top_via();
      out.push_back({sip_response(*sent, 408, "Request Timeout"), invitation.back});
    }
    invitation.sent.clear();
    invitation.closed = true;
    invitation.ends_s = now_s + SipTransactions::kEnds_s;
    ProxyCall* const call = calls.find(invitation.call);
    if (call != nullptr && !call->answered && call->invitation == invitation.key) close(*call);
    return out;
  }

  // Makes a place for a call; null if there is none.
  ProxyCall* open(const SipMessage& invitation, const SocketAddress& from, double now_s, Out& out) {
    if (!calls.may_take(from.host)) return nullptr;
    if (calls.is_full()) {
      ProxyCall* const other = calls.giving_way_to(from.host);
      if (other == nullptr) return nullptr;
      ++counters.gave_way;
      SipTransaction* const waiting = transactions.find(other->invitation);
      if (waiting != nullptr && !waiting->sent.empty()) {
        out = give_up(*waiting, now_s);
      } else {
        close(*other);  // was just refused
      }
    }
    const auto opened = media.open();
    return opened ? &calls.add(invitation, from, *opened) : nullptr;
  }

  Out stray(const SipMessage& request, ProxyCall* call, const SocketAddress& from) {
    ++counters.stray_requests;
    if (call != nullptr && !call->stray_told) {
      call->stray_told = true;
      media.say(fmt::format("call {}: {} from {} was refused: its address or its tags do not match the call",
                            call->number, request.method(), to_string(from)));
    }
    return answer(request, 481, "Call/Transaction Does Not Exist", from);
  }

  // Sends a CANCEL where its INVITE went; false after the final response, when it has no effect (clause 9.1).
  bool follows(SipMessage& cancel, const SipTransaction& invitation) const {
    const auto sent = invitation.sent.empty() ? std::nullopt : SipMessage::parse(invitation.sent);
    if (!sent) return false;
    if (const auto route = cancel.top_route(); route && is_self(*route)) cancel.remove_top_route();
    return cancel.set_request_uri(sent->request_uri());
  }

  Out request(SipMessage& message, const SocketAddress& from, double now_s) {
    message.mark_top_via(from);
    const std::string method = message.method();
    if (method == "REGISTER" && is_self(message.request_target())) {
      return {{registrar.take(message, from, now_s), from}};
    }
    if (!message.count_forward()) return answer(message, 483, "Too Many Hops", from);
    const auto repeated = SipMessage::parse(message.text());
    const auto via = message.top_via();
    if (!repeated || !via) return no_sip();
    const SipMessage& original = *repeated;
    const SipStanding standing = standing_of(message, from, transactions, calls);
    if (standing.kind == Kind::stray) return stray(original, standing.call, from);
    if (standing.kind == Kind::own_refusal) return {};
    if (standing.kind == Kind::repetition) {
      const SipTransaction& same = *standing.transaction;
      return same.sent.empty() ? Out() : Out{{same.sent, same.to}};
    }
    SipTransaction made;
    made.key = transactions.key_of(message, from);
    made.method = method;
    made.call_id = message.call_id();
    made.source = SipHosts{options.self}.known_as(from.host);
    made.back = back_to(*via, from);
    made.side = standing.side;
    made.branch = transactions.new_branch();
    if (standing.kind == Kind::of_invitation) {
      made.branch = standing.transaction->branch;
      if (method == "CANCEL" && !follows(message, *standing.transaction)) return answer(original, 200, "OK", from);
    }
    const auto to = method == "CANCEL" ? standing.transaction->to : next_hop(message, now_s);
    if (!to && method == "OPTIONS" && is_self(original.request_target())) return answer(original, 200, "OK", from);
    if (!to) return answer(original, 404, "Not Found", from);
    made.to = *to;
    made.sent = message.text();
    Out out;
    ProxyCall* call = standing.call;
    const bool has_room = transactions.has_room(made);
    if (has_room && standing.kind == Kind::opens_call && call == nullptr) call = open(message, from, now_s, out);
    if (!has_room || (standing.kind == Kind::opens_call && call == nullptr)) {
      ++counters.refused_for_room;
      for (auto& one : answer(original, 503, "No room for another call", from)) out.push_back(std::move(one));
      return out;
    }
    if (method == "INVITE") message.push_record_route(fmt::format("<sip:{};lr>", to_string(options.self)));
    if (call != nullptr) {
      made.call = call->key;
      if (auto refused = act(message, original, standing, *call, made, from, now_s)) {
        out.insert(out.end(), refused->begin(), refused->end());
        return out;
      }
    } else if (standing.kind == Kind::of_invitation && !standing.transaction->call.empty()) {
      message.remove_bodies();  // the call's ports are closed; no audio may bypass the relay
    }
    message.push_via(fmt::format("SIP/2.0/UDP {};branch={}", to_string(options.self), made.branch));
    made.sent = message.text();
    out.push_back({made.sent, made.to});
    transactions.begin(std::move(made), now_s);
    return out;
  }

  // Applies a request to the call it belongs to; returns the answer if it is refused.
  std::optional<Out> act(SipMessage& message, const SipMessage& original, const SipStanding& standing, ProxyCall& call,
                         const SipTransaction& made, const SocketAddress& from, double now_s) {
    const std::string method = message.method();
    if (carries_session(method)) {
      const auto fault = rewrite(message, call, standing.side);
      if (fault) {
        media.say(fmt::format("call {}: {} from {} was refused: {}", call.number, method, to_string(from), *fault));
      }
      if (fault && method != "ACK") {
        ++counters.refused_descriptions;
        if (!call.answered) call.ends_s = now_s;
        return answer(original, 488, "One audio stream in plain RTP at an IPv4 address wanted", from);
      }
    }
    call.told_s = now_s;
    if (standing.kind == Kind::opens_call) {
      call.invitation = made.key;
      call.ends_s.reset();
      calls.learn(call, End::b, made.to.host);
    }
    if (method == "INVITE" || method == "UPDATE") learn_hosts(call, standing.side, original);
    const std::string callee_tag = standing.side == End::a ? message.to_tag() : message.from_tag();
    if (method == "BYE" && call.answered && callee_tag == call.callee_tag) {
      call.over = true;
      call.ends_s = now_s + kAfterEnd_s;
    }
    return std::nullopt;
  }

  void note_answer(const SipMessage& message, const SipTransaction& asked, ProxyCall& call, double now_s) const {
    constexpr std::size_t kMostTags = 32;  // phones that ring at the same time
    const int status = message.status();
    const bool sets_up = asked.key == call.invitation;
    if (status > 100 && status < 300) {
      learn_hosts(call, other_end(asked.side), message);
      const bool answers = sets_up && status >= 200 && !call.answered;
      if (answers) {
        call.answered = true;
        call.callee_tag = message.to_tag();
        call.ends_s.reset();
      }
      if (sets_up && !message.to_tag().empty() && call.other_tags.size() < kMostTags) {
        call.other_tags.insert(message.to_tag());
      }
    } else if (status >= 300 && sets_up && !call.answered) {
      call.ends_s = now_s + kAfterEnd_s;
    }
  }

  Out response(SipMessage& message, const SocketAddress& from, double now_s) {
    const SipStanding standing = standing_of(message, from, transactions, calls);
    if (standing.kind != Kind::response) {
      ++counters.stray_responses;
      return {};
    }
    SipTransaction& asked = *standing.transaction;
    if (asked.closed) return {};
    message.remove_top_via();
    if (!message.top_via()) return no_sip();
    if (ProxyCall* const call = standing.call) {
      call->told_s = now_s;
      if (carries_session(asked.method)) {
        if (const auto fault = rewrite(message, *call, standing.side)) {
          media.say(fmt::format("call {}: the answer has no audio: {}", call->number, *fault));
        }
      }
      if (asked.method == "INVITE") note_answer(message, asked, *call, now_s);
    } else if (!asked.call.empty()) {
      message.remove_bodies();  // its ports are closed; no audio may bypass the relay
    }
    SipTransactions::note_response(asked, message.status(), now_s);
    return {{message.text(), asked.back}};
  }

  // Its BYE was lost, or a phone was switched off.
  bool is_forgotten(const ProxyCall& call, double now_s) const {
    return call.answered && !call.ends_s && now_s - call.told_s >= options.call_timeout_s &&
           media.silent_s(call.number) >= options.call_timeout_s;
  }

  Out expire(double now_s) {
    Out out;
    registrar.expire(now_s);
    transactions.expire(now_s, [&](SipTransaction& invitation) {
      ++counters.unanswered;
      for (auto& one : give_up(invitation, now_s)) out.push_back(std::move(one));
    });
    for (auto next = calls.all().begin(); next != calls.all().end();) {
      ProxyCall& call = (next++)->second;
      if (is_forgotten(call, now_s)) {
        media.say(fmt::format("call {}: neither packets nor SIP for {} s; it was ended", call.number,
                              options.call_timeout_s));
        call.ends_s = now_s;
      }
      if (call.ends_s && *call.ends_s <= now_s) close(call);
    }
    return out;
  }

  Out no_sip() {
    ++counters.no_sip;
    return {};
  }
};

SipProxy::SipProxy(SipOptions options, SipMedia media) : state_(new State(std::move(options), std::move(media))) {}

SipProxy::~SipProxy() {
  for (const auto& [key, call] : state_->calls.all()) state_->media.close(call.number);
}

std::vector<SipProxy::Outgoing> SipProxy::take(std::string_view datagram, const SocketAddress& from, double now_s) {
  // Keep-alives of phones behind a NAT (RFC 5626) are only line ends.
  if (datagram.find_first_not_of("\r\n \0") == std::string_view::npos) return {};
  auto message = SipMessage::parse(datagram);
  if (!message) return state_->no_sip();
  return message->is_request() ? state_->request(*message, from, now_s) : state_->response(*message, from, now_s);
}

std::vector<SipProxy::Outgoing> SipProxy::expire(double now_s) {
  return state_->expire(now_s);
}

SipCounters SipProxy::counters() const {
  SipCounters counters = state_->counters;
  for (const auto& [key, call] : state_->calls.all()) {
    ++counters.calls;
    if (!call.answered) ++counters.calls_unanswered;
  }
  return counters;
}

}  // namespace vqas
