#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "line/sip/libre.h"
#include "line/sip/sip_trace.h"
#include "line/socket.h"

namespace vqas {

/// What libre does not tell of the datagrams and messages of a SIP stack: each message for the trace, datagrams that
/// are no SIP, and whether nothing listens where requests are sent. Of libre's thread.
class SipWire {
 public:
  /// Requests without any response, and that the system says why.
  struct Unheard {
    int error = 0;                  ///< of the system: ECONNREFUSED, EHOSTUNREACH, …
    std::set<std::string> invites;  ///< the Call-IDs of INVITEs sent there, to which nothing has come
    bool registers = false;         ///< a REGISTER was sent there
  };
  struct Events {
    std::function<void(SipTraced)> traced;            ///< each message; may be empty
    std::function<void(const std::string&)> noticed;  ///< for the operator, a sentence part
    std::function<void(const Unheard&)> unheard;
  };
  explicit SipWire(Events events);
  ~SipWire();
  SipWire(const SipWire&) = delete;
  SipWire& operator=(const SipWire&) = delete;

  /// Begins to watch the stack's UDP socket. libre gives it only with a message, so the stack is sent one by this
  /// machine. Where that fails, it begins with the first message of another end.
  void watch(const sip* stack);
  /// For each message that came over UDP.
  void take_socket(const sip_msg* message);
  /// For libre's trace handler.
  void passed(bool sent, sip_transp transport, const sa& other, std::string_view message);

 private:
  struct Probe;
  static bool on_datagram(sa* source, mbuf* datagram, void* self);
  void received(const SocketAddress& from, std::string_view message);
  void sent(const sa& to, std::string_view message);
  void probe(Probe& probe) const;

  const Events events_;
  const std::string own_call_;  // Call-ID of the message to this end itself; drawn, so that no far end has it
  udp_helper* helper_ = nullptr;
  std::uint64_t malformed_ = 0;
  std::map<std::uint64_t, std::unique_ptr<Probe>> probes_;  // by address, while nothing has come from there
};

}  // namespace vqas
