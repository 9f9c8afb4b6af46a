#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "vqas/line/address.h"

namespace vqas {

struct SipOptions {
  SocketAddress self;  ///< address of the relay for phones
  /// Phones that do not register, by user name.
  std::map<std::string, SocketAddress> phones;
  /// An answered call without BYE ends after this time without packets and SIP messages, 10..86400.
  double call_timeout_s = 300;
};

/// Counts of SIP messages and calls. They rise from 0, except the first two, which are current values.
struct SipCounters {
  std::uint64_t calls = 0;                 ///< calls that hold a place
  std::uint64_t calls_unanswered = 0;      ///< of these
  std::uint64_t no_sip = 0;                ///< datagrams that were not SIP messages
  std::uint64_t stray_requests = 0;        ///< for an unknown call, or from the wrong address or with the wrong tags
  std::uint64_t stray_responses = 0;       ///< to no known request, or not from where the request was sent
  std::uint64_t refused_descriptions = 0;  ///< sessions that cannot be relayed: 488
  std::uint64_t refused_for_room = 0;      ///< requests refused for lack of room: 503
  std::uint64_t unanswered = 0;            ///< INVITEs that never got a final response: 408
  std::uint64_t gave_way = 0;              ///< unanswered calls that lost their place to another address: 408
  bool operator==(const SipCounters&) const = default;
};

}  // namespace vqas
