#include "relay/proxy_calls.h"

#include <tuple>

namespace vqas {

ProxyCall* ProxyCalls::find(const std::string& key) {
  const auto found = calls_.find(key);
  return found == calls_.end() ? nullptr : &found->second;
}

void ProxyCalls::learn(ProxyCall& call, End side, std::uint32_t host) const {
  constexpr std::size_t kMostHosts = 16;  // a phone, its proxies, and addresses it moved to
  auto& known = call.hosts[static_cast<std::size_t>(side)];
  if (known.size() < kMostHosts) known.insert(hosts_.known_as(host));
}

ProxyCall* ProxyCalls::giving_way_to(std::uint32_t host) {
  std::map<std::uint32_t, std::size_t> unanswered;
  for (const auto& [key, call] : calls_) {
    if (!call.answered) ++unanswered[call.source];
  }
  const std::size_t own = unanswered[hosts_.known_as(host)];
  const auto worth = [&](const ProxyCall& call) {
    const bool rings = !call.other_tags.empty();
    return std::tuple(unanswered[call.source], !rings, -static_cast<std::int64_t>(call.number));
  };
  ProxyCall* found = nullptr;
  for (auto& [key, call] : calls_) {
    if (call.answered || unanswered[call.source] < own + 2) continue;
    if (found == nullptr || worth(call) > worth(*found)) found = &call;
  }
  return found;
}

ProxyCall& ProxyCalls::add(const SipMessage& invitation, const SocketAddress& from, const RelayedCallState& ports) {
  const std::string key = key_of(invitation.call_id(), invitation.from_tag());
  ProxyCall& call = calls_[key];
  call.key = key;
  call.number = ports.number;
  call.caller_tag = invitation.from_tag();
  call.listen = {ports.directions[0].listen, ports.directions[1].listen};
  call.source = hosts_.known_as(from.host);
  share_.take(call.source);
  learn(call, End::a, from.host);
  return call;
}

void ProxyCalls::erase(const ProxyCall& call) {
  share_.give_back(call.source);
  const std::string key = call.key;
  calls_.erase(key);
}

}  // namespace vqas
