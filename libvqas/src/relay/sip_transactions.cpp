#include "relay/sip_transactions.h"

#include <fmt/format.h>

#include <random>

namespace vqas {
namespace {

std::string branch_key(const std::string& branch, const std::string& method) {
  return branch + "\n" + method;
}

}  // namespace

// A stranger must not be able to guess a branch of the relay.
SipTransactions::SipTransactions(const SipHosts& hosts) : hosts_(hosts) {
  std::random_device device;
  random_ = (std::uint64_t{device()} << 32U) | device();
}

// Clause 17.2.3, with the fields that distinguish requests of RFC 2543. A NAT may change the port they come from, so
// only the host counts.
std::string SipTransactions::key_of(const SipMessage& request, const SocketAddress& from,
                                    const std::string& method) const {
  const auto via = request.top_via().value_or(SipMessage::Via());
  return fmt::format("{}\n{}\n{}\n{}:{}\n{}\n{}\n{}", hosts_.known_as(from.host), method, via.branch, via.sent_by.host,
                     via.sent_by.port, request.call_id(), request.from_tag(), request.cseq_number());
}

SipTransaction* SipTransactions::find(const std::string& key) {
  const auto found = by_key_.find(key);
  return found == by_key_.end() ? nullptr : &found->second.transaction;
}

SipTransaction* SipTransactions::invitation(const SipMessage& request, const SocketAddress& from) {
  return find(key_of(request, from, "INVITE"));
}

SipTransaction* SipTransactions::answered_by(const SipMessage& response, const SocketAddress& from) {
  const auto via = response.top_via();
  const bool own = via && via->sent_by.host == host_text(hosts_.self) && via->sent_by.port == hosts_.self.port;
  const auto key = own ? key_by_branch_.find(branch_key(via->branch, response.method())) : key_by_branch_.end();
  if (key == key_by_branch_.end()) return nullptr;
  SipTransaction& asked = by_key_.at(key->second).transaction;
  return asked.call_id == response.call_id() && hosts_.same(asked.to.host, from.host) ? &asked : nullptr;
}

bool SipTransactions::came_by_here(const SipMessage& request) const {
  for (const SipMessage::Via& via : request.vias()) {
    const auto key = key_by_branch_.find(branch_key(via.branch, request.method()));
    if (key != key_by_branch_.end() && by_key_.at(key->second).transaction.call_id == request.call_id()) return true;
  }
  return false;
}

std::string SipTransactions::new_branch() {
  // The cookie of clause 8.1.1.7.
  return fmt::format("z9hG4bK-vqas-{:016x}-{}", random_, begun_++);
}

SipTransaction& SipTransactions::begin(SipTransaction made, double now_s) {
  made.ends_s = now_s + kEnds_s;
  const std::size_t octets = cost(made);
  share_.take(made.source, octets);
  key_by_branch_[branch_key(made.branch, made.method)] = made.key;
  const std::string key = made.key;
  return by_key_.insert_or_assign(key, Kept{std::move(made), octets}).first->second.transaction;
}

void SipTransactions::note_response(SipTransaction& transaction, int status, double now_s) {
  if (transaction.method != "INVITE") return;
  if (status >= 200) {
    // Later 2xx responses come from other phones that rang, and from the same one until its ACK arrives.
    if (!transaction.sent.empty()) transaction.ends_s = now_s + kEnds_s;
    transaction.sent.clear();
  } else if (!transaction.sent.empty()) {
    transaction.rang = true;
    transaction.ends_s = now_s + kRings_s;
  }
}

void SipTransactions::expire(double now_s, const std::function<void(SipTransaction&)>& unanswered) {
  for (auto kept = by_key_.begin(); kept != by_key_.end();) {
    SipTransaction& one = kept->second.transaction;
    if (one.ends_s <= now_s && one.method == "INVITE" && !one.sent.empty()) unanswered(one);
    if (one.ends_s > now_s) {
      ++kept;
      continue;
    }
    const auto branch = key_by_branch_.find(branch_key(one.branch, one.method));
    if (branch != key_by_branch_.end() && branch->second == one.key) key_by_branch_.erase(branch);
    share_.give_back(one.source, kept->second.cost);
    kept = by_key_.erase(kept);
  }
}

}  // namespace vqas
