#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "relay/sip_transactions.h"
#include "vqas/relay/rtp_relay.h"

namespace vqas {

/// An established call, or one being set up: its dialogues (IETF RFC 3261, clause 12) and its ports.
struct ProxyCall {
  std::string key;
  std::uint64_t number = 0;
  std::string caller_tag;
  std::string callee_tag;            ///< of the phone that answered; empty until then
  std::set<std::string> other_tags;  ///< of phones that rang, or answered later
  /// By End: the hosts that may speak for that side, as learnt while the call was set up.
  std::array<std::set<std::uint32_t>, 2> hosts;
  std::array<SocketAddress, 2> listen;
  std::uint32_t source = 0;  ///< the address that the place counts for
  std::string invitation;    ///< key of the transaction that sets it up
  bool answered = false;
  bool over = false;             ///< BYE came
  bool stray_told = false;       ///< a request that does not belong to it was reported to the operator
  std::optional<double> ends_s;  ///< when its ports are closed; none: unknown
  double told_s = 0;             ///< time of its last message
};

/// The calls, and their limited number. For one thread.
class ProxyCalls {
 public:
  ProxyCalls(const SipHosts& hosts, std::size_t most) : hosts_(hosts), share_(most) {}

  static std::string key_of(const std::string& call_id, const std::string& caller_tag) {
    return call_id + "\n" + caller_tag;
  }
  ProxyCall* find(const std::string& key);
  /// True if the host is known for that side.
  bool speaks_for(const ProxyCall& call, End side, const SocketAddress& from) const {
    return call.hosts[static_cast<std::size_t>(side)].contains(hosts_.known_as(from.host));
  }
  /// Lets `host` speak for that side from now on.
  void learn(ProxyCall& call, End side, std::uint32_t host) const;

  /// False if the host already has its share.
  bool may_take(std::uint32_t host) const { return !share_.is_at_its_limit(hosts_.known_as(host)); }
  bool is_full() const { return share_.is_full(); }
  /// When all places are taken, the unanswered call that makes room for one from `host`. It belongs to the host with
  /// the most, at least two more; first calls that do not ring yet, then the oldest. Null: none.
  ProxyCall* giving_way_to(std::uint32_t host);
  ProxyCall& add(const SipMessage& invitation, const SocketAddress& from, const RelayedCallState& ports);
  void erase(const ProxyCall& call);

  std::map<std::string, ProxyCall>& all() { return calls_; }
  const std::map<std::string, ProxyCall>& all() const { return calls_; }

 private:
  SipHosts hosts_;
  SourceShare share_;
  std::map<std::string, ProxyCall> calls_;
};

}  // namespace vqas
