#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "vqas/line/address.h"

namespace vqas {

struct SipOptions {
  SocketAddress self;  ///< where phones reach the relay
  /// Phones that do not register, by the user's name.
  std::map<std::string, SocketAddress> phones;
  /// A call whose BYE never comes ends after so long without a packet and without a message of SIP, 10..86400.
  double call_timeout_s = 300;
};

/// What SIP messages came to. Counts rise from 0; the first two are of this moment.
struct SipCounters {
  std::uint64_t calls = 0;                 ///< that hold a place
  std::uint64_t calls_unanswered = 0;      ///< of these
  std::uint64_t no_sip = 0;                ///< datagrams that were no SIP message
  std::uint64_t stray_requests = 0;        ///< of a call that does not exist, or not from its addresses and tags
  std::uint64_t stray_responses = 0;       ///< to nothing that was asked, or not from where it was asked
  std::uint64_t refused_descriptions = 0;  ///< sessions that cannot be relayed: 488
  std::uint64_t refused_for_room = 0;      ///< requests without a place: 503
  std::uint64_t unanswered = 0;            ///< INVITE that never got a final response: 408
  std::uint64_t gave_way = 0;              ///< unanswered calls whose place another address got: 408
  bool operator==(const SipCounters&) const = default;
};

}  // namespace vqas
