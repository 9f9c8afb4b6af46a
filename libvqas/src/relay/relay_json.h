#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "vqas/relay/rtp_relay.h"
#include "vqas/relay/sip.h"

namespace vqas {

using RelayJson = nlohmann::ordered_json;

/// One call, as described in relay-control.md.
RelayJson to_json(const RelayedCallState& call);
RelayJson to_json(const RelayCounters& counters);
RelayJson to_json(const RelayConditions& conditions, Relayed relayed);
RelayJson to_json(const SipCounters& counters);
/// From the counters, what affected the G.711 stream: bits, seconds, release, interruptions, slips.
RelayJson digital_json(const RelayCounters& counters);

/// "a_to_b", "b_to_a"
constexpr const char* direction_word(End from) {
  return from == End::a ? "a_to_b" : "b_to_a";
}

/// `conditions` changed by the members of `json`: first "profile" (a name or file) or "toml" (the text of a profile),
/// then single values. Fails with bad_input and the member's name; the result has passed validate().
Result<RelayConditions> changed_conditions(const RelayConditions& conditions, const RelayJson& json,
                                           const ProfileSource& profiles);

}  // namespace vqas
