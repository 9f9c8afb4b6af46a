#pragma once

#include <string>

#include "vqas/relay/rtp_relay.h"
#include "vqas/relay/sip.h"
#include "vqas/signal/json_text.h"

namespace vqas {

/// One call, as described in relay-control.md.
Json to_json(const RelayedCallState& call);
Json to_json(const RelayCounters& counters);
Json to_json(const RelayConditions& conditions, Relayed relayed);
Json to_json(const SipCounters& counters);
/// From the counters, what affected the G.711 stream: bits, seconds, release, interruptions, slips.
Json digital_json(const RelayCounters& counters);

/// "a_to_b", "b_to_a"
constexpr const char* direction_word(End from) {
  return from == End::a ? "a_to_b" : "b_to_a";
}

/// `conditions` changed by the members of `json`: first "profile" (a name or file) or "toml" (the text of a profile),
/// then single values. Fails with bad_input and the member's name; the result has passed validate().
Result<RelayConditions> changed_conditions(const RelayConditions& conditions, const Json& json,
                                           const ProfileSource& profiles);

}  // namespace vqas
