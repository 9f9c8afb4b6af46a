#include "relay/sip_standing.h"

namespace vqas {
namespace {

using Kind = SipStanding::Kind;

// RFC 3261, 3262 (PRACK), 3311 (UPDATE), 6086 (INFO).
bool needs_a_call(const SipMessage& request) {
  const std::string method = request.method();
  for (const char* one : {"ACK", "BYE", "CANCEL", "PRACK", "UPDATE", "INFO", "INVITE"}) {
    if (method == one) return true;
  }
  return false;
}

bool is_callee_tag(const ProxyCall& call, const std::string& tag) {
  return (call.answered && tag == call.callee_tag) || call.other_tags.contains(tag);
}

// Rule 3. The caller's requests carry its tag in From, the callee's in To.
SipStanding in_dialogue(const SipMessage& request, const SocketAddress& from, ProxyCalls& calls) {
  const std::string id = request.call_id();
  for (const End side : {End::a, End::b}) {
    const std::string own = request.from_tag(), other = request.to_tag();
    ProxyCall* const call = calls.find(ProxyCalls::key_of(id, side == End::a ? own : other));
    if (call == nullptr) continue;
    const bool fits = is_callee_tag(*call, side == End::a ? other : own) && calls.speaks_for(*call, side, from);
    return {fits ? Kind::within_call : Kind::stray, nullptr, call, side};
  }
  return {needs_a_call(request) ? Kind::stray : Kind::apart, nullptr, nullptr, End::a};
}

}  // namespace

SipStanding standing_of(const SipMessage& message, const SocketAddress& from, SipTransactions& transactions,
                        ProxyCalls& calls) {
  if (!message.is_request()) {
    SipTransaction* const asked = transactions.answered_by(message, from);
    if (asked == nullptr) return {};
    return {Kind::response, asked, calls.find(asked->call), other_end(asked->side)};
  }
  const std::string method = message.method();
  if (SipTransaction* const same = transactions.find(transactions.key_of(message, from))) {
    return {Kind::repetition, same, nullptr, same->side};
  }
  if (method == "CANCEL" || method == "ACK") {
    if (SipTransaction* const invitation = transactions.invitation(message, from)) {
      return {Kind::of_invitation, invitation, calls.find(invitation->call), invitation->side};
    }
    if (message.to_tag() == kSipOwnTag) return {Kind::own_refusal, nullptr, nullptr, End::a};
  }
  if (transactions.came_by_here(message)) return {Kind::came_back, nullptr, nullptr, End::a};
  if (message.to_tag().empty() && !needs_a_call(message)) return {Kind::apart, nullptr, nullptr, End::a};
  if (method != "INVITE" || !message.to_tag().empty()) return in_dialogue(message, from, calls);
  ProxyCall* const known = calls.find(ProxyCalls::key_of(message.call_id(), message.from_tag()));
  if (known == nullptr) return {Kind::opens_call, nullptr, nullptr, End::a};
  if (!known->answered && calls.speaks_for(*known, End::a, from)) return {Kind::opens_call, nullptr, known, End::a};
  // An RFC 2543 phone answers without a tag.
  return in_dialogue(message, from, calls);
}

}  // namespace vqas
