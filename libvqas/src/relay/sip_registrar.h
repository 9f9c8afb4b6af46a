#pragma once

#include <map>
#include <optional>
#include <string>

#include "relay/sip_message.h"

namespace vqas {

/// Addresses of registered phones, without passwords. For one thread.
class SipRegistrar {
 public:
  struct Registration {
    SocketAddress address;
    std::string contact;
    double ends_s = 0;
  };
  explicit SipRegistrar(std::size_t most) : most_(most) {}

  /// Handles a REGISTER; returns the response.
  std::string take(const SipMessage& request, const SocketAddress& from, double now_s);
  /// Null: unknown, or expired.
  const Registration* find(const std::string& user, double now_s) const;
  void expire(double now_s);

 private:
  std::size_t most_;
  std::map<std::string, Registration> registrations_;
};

}  // namespace vqas
