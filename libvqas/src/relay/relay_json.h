#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "vqas/relay/rtp_relay.h"

namespace vqas {

using RelayJson = nlohmann::ordered_json;

/// One call as relay.md describes it.
RelayJson to_json(const RelayedCallState& call);
RelayJson to_json(const RelayCounters& counters);
RelayJson to_json(const RelayConditions& conditions);

/// `conditions` with the members that `json` has: "profile" (a name or file) or "toml" (a profile's text) first, then
/// single values on top. Fails with bad_input and the member's name; what comes back has passed validate().
Result<RelayConditions> changed_conditions(const RelayConditions& conditions, const RelayJson& json);

}  // namespace vqas
