#pragma once

#include "relay/sip_calls.h"
#include "relay/sip_transactions.h"

namespace vqas {

/// What a message is to the relay. The rule, by IETF RFC 3261:
///
///  1. A response belongs to a request that the relay passed on: it carries the Via and the branch that the relay gave
///     that request, its method and its Call-ID (clauses 17.1.3 and 18.1.2), and it comes from the host that the
///     request was sent to. It goes back to where the request came from, whatever its further Vias say.
///  2. A repetition belongs to a request that came before: the same branch, sender, Call-ID, tag and number from the
///  same
///     host (clause 17.2.3). CANCEL and the ACK of a refusal belong to the INVITE that is alike but for the method.
///  3. Any other request of a call belongs to one of its dialogues: it carries the Call-ID and both tags, as the one
///  side
///     or as the other (clause 12.2.2), and it comes from a host of that side. A side's hosts are those that the call
///     was set up from or to, and those that it named itself in Contact and Record-Route. The port does not count,
///     because a NAT may change it; two phones at one address differ by their tags.
///  4. An INVITE without a tag in To opens a call. With the Call-ID and tag of a call that is not answered yet, it
///     belongs to that call if it comes from the caller's hosts.
///  5. A request that came by the relay before and comes back by another proxy is passed on, and acts no second time.
///  6. What has no call at all (MESSAGE, SUBSCRIBE and others) is passed on. What only a call can hold is stray.
///
/// What is stray changes nothing and goes nowhere. Source addresses can be forged on an open network; then the tags
/// alone protect a call.
struct SipStanding {
  enum class Kind {
    stray,
    response,       ///< 1
    repetition,     ///< 2
    of_invitation,  ///< 2: CANCEL, or the ACK of a refusal; `transaction` is the INVITE
    within_call,    ///< 3
    opens_call,     ///< 4: `call` is null, or tried again, say with a password this time
    came_back,      ///< 5
    apart,          ///< 6
    own_refusal,    ///< the ACK of what the relay itself refused
  };
  Kind kind = Kind::stray;
  SipTransaction* transaction = nullptr;
  SipCall* call = nullptr;  ///< in which it acts; of what is stray: that it names
  End side = End::a;        ///< of the call, who sent it
};

SipStanding standing_of(const SipMessage& message, const SocketAddress& from, SipTransactions& transactions,
                        SipCalls& calls);

}  // namespace vqas
