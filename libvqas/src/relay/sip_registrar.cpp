#include "relay/sip_registrar.h"

#include <fmt/format.h>

#include <algorithm>

namespace vqas {
namespace {

constexpr int kDefaultExpires_s = 3600;

}  // namespace

std::string SipRegistrar::take(const SipMessage& request, const SocketAddress& from, double now_s) {
  const std::string user = request.to_user();
  const std::string contact = request.contact_uri();
  const int expires = std::min(request.expires().value_or(kDefaultExpires_s), kDefaultExpires_s);
  if (user.empty()) return sip_response(request, 400, "No user in To");
  if (contact.empty()) return sip_response(request, 200, "OK");
  if (expires <= 0 || contact == "*") {
    // A phone that removes an old contact must not remove the contact that replaced it.
    const auto known = registrations_.find(user);
    if (known != registrations_.end() && (contact == "*" || contact == known->second.contact)) {
      registrations_.erase(known);
    }
    return sip_response(request, 200, "OK");
  }
  if (registrations_.size() >= most_ && !registrations_.contains(user)) {
    return sip_response(request, 503, "Too many registrations");
  }
  registrations_[user] = {from, contact, now_s + expires};
  return sip_response(request, 200, "OK", fmt::format("Contact: <{}>;expires={}\r\n", contact, expires));
}

const SipRegistrar::Registration* SipRegistrar::find(const std::string& user, double now_s) const {
  const auto known = registrations_.find(user);
  return known == registrations_.end() || known->second.ends_s < now_s ? nullptr : &known->second;
}

void SipRegistrar::expire(double now_s) {
  std::erase_if(registrations_, [now_s](const auto& known) { return known.second.ends_s < now_s; });
}

}  // namespace vqas
