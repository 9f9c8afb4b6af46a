#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "vqas/relay/rtp_relay.h"
#include "vqas/relay/sip.h"

namespace vqas {

using RelayJson = nlohmann::ordered_json;

/// One call as relay-control.md describes it.
RelayJson to_json(const RelayedCallState& call);
RelayJson to_json(const RelayCounters& counters);
RelayJson to_json(const RelayConditions& conditions);
RelayJson to_json(const SipCounters& counters);
/// Of the counters, what the G.711 stream met: bits, seconds, release, interruptions, slips.
RelayJson digital_json(const RelayCounters& counters);

/// "a_to_b", "b_to_a"
constexpr const char* direction_word(End from) {
  return from == End::a ? "a_to_b" : "b_to_a";
}

/// `conditions` with the members that `json` has: "profile" (a name or file) or "toml" (a profile's text) first, then
/// single values on top. Fails with bad_input and the member's name; what comes back has passed validate().
Result<RelayConditions> changed_conditions(const RelayConditions& conditions, const RelayJson& json,
                                           const ProfileSource& profiles);

}  // namespace vqas
