#pragma once

#include "relay/proxy_calls.h"
#include "relay/sip_transactions.h"

namespace vqas {

/// The role of a message for the relay. The rules, by IETF RFC 3261:
///
///  1. A response belongs to a request that the relay forwarded: it carries the Via and branch that the relay gave that
///     request, its method and its Call-ID (clauses 17.1.3 and 18.1.2), and comes from the host the request was sent
///     to. It is returned to where the request came from, whatever its other Vias say.
///  2. A repetition belongs to an earlier request: same branch, sender, Call-ID, tag, number and host (clause 17.2.3).
///     CANCEL and the ACK of a refusal belong to the INVITE that differs only in the method.
///  3. Any other request of a call belongs to one of its dialogues: it carries the Call-ID and both tags, from either
///     side (clause 12.2.2), and comes from a host of that side. The hosts of a side are those that the call was set up
///     from or to, and those that it named in Contact and Record-Route. The port does not count, because a NAT may
///     change it; two phones at one address differ by their tags.
///  4. An INVITE without a tag in To opens a call. With the Call-ID and tag of a call that is not answered yet, it
///     belongs to that call if it comes from the caller's hosts.
///  5. A forwarded request that comes back from another proxy is forwarded again and has no second effect.
///  6. A request without a call (MESSAGE, SUBSCRIBE and others) is forwarded. One that needs a call is stray.
///
/// A stray message changes nothing and is not forwarded. On an open network source addresses can be forged; then only
/// the tags protect a call.
struct SipStanding {
  enum class Kind {
    stray,
    response,       ///< 1
    repetition,     ///< 2
    of_invitation,  ///< 2: CANCEL, or the ACK of a refusal; `transaction` is the INVITE
    within_call,    ///< 3
    opens_call,     ///< 4: `call` is null, or is tried again, for example with a password
    came_back,      ///< 5
    apart,          ///< 6
    own_refusal,    ///< the ACK of what the relay itself refused
  };
  Kind kind = Kind::stray;
  SipTransaction* transaction = nullptr;
  ProxyCall* call = nullptr;  ///< the call it belongs to; for a stray message, the call it names
  End side = End::a;          ///< side of the call that sent it
};

SipStanding standing_of(const SipMessage& message, const SocketAddress& from, SipTransactions& transactions,
                        ProxyCalls& calls);

}  // namespace vqas
