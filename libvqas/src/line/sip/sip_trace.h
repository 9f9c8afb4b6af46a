#pragma once

#include <string>
#include <string_view>

#include "vqas/line/address.h"

namespace vqas {

/// An entry of a trace of the signalling, and the Call-ID of its message.
struct SipTraced {
  std::string call_id, text;
};

/// A SIP message as an entry of a trace: a line with the time (UTC), the direction, the transport and the other end's
/// address; then the message, each line indented by four blanks, so that no message can pretend to be an entry. The
/// values of Authorization, Proxy-Authorization, Authentication-Info and Proxy-Authentication-Info, also as parameters
/// of an address, keys of SRTP (a=crypto, a=key-mgmt, k=), a=ice-pwd, passwords in addresses of any scheme, and bodies
/// other than SDP are blanked. Control characters become blanks. Re-entrant.
SipTraced sip_trace_entry(double utc_s, bool sent, const char* transport, const SocketAddress& other,
                          std::string_view message);

/// Entries that wait to be fetched, of limited size: what does not fit is left out, and a line says so.
class SipTrace {
 public:
  void add(const std::string& entry);
  std::string take();
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
  bool full_ = false;
};

}  // namespace vqas
