#include <fmt/format.h>

#include <algorithm>

#include "relay/relay_json.h"
#include "vqas/relay/audio_relay.h"

namespace vqas {
namespace {

constexpr std::array kOfPackets = {"loss",    "mean_loss_packets", "jitter_ms", "keeps_order",
                                   "reorder", "reorder_ms",        "duplicate", "loopback"};

Status check_target(const RelayTarget& target) {
  if (target.call && *target.call != 0) {
    return Error{ErrorCode::bad_input, fmt::format("there is no call {}; sound devices are call 0", *target.call)};
  }
  if (target.from == End::b) {
    return Error{ErrorCode::bad_input, "sound goes only from the input to the output; there is no \"b_to_a\""};
  }
  return success();
}

Json to_json(const AudioRelayCounters& counters) {
  RelayCounters digital;
  digital.errors = counters.errors;
  digital.events = counters.events;
  Json json = {{"heard", counters.heard},
               {"played", counters.played},
               {"overflows", counters.overflows},
               {"underflows", counters.underflows},
               {"clock_slips", counters.clock_slips},
               {"device_flags", counters.device_flags}};
  json.update(digital_json(digital));
  return json;
}

}  // namespace

Status AudioControl::set(const RelayTarget& target, const std::string& json) {
  if (Status there = check_target(target); !there) return there;
  const auto parsed = parse_json_text(json, "the text of conditions");
  if (!parsed) return parsed.error();
  for (const char* name : kOfPackets) {
    if (parsed->is_object() && parsed->contains(name)) {
      return Error{ErrorCode::bad_input, fmt::format("\"{}\": there are no packets between sound devices", name)};
    }
  }
  const auto changed = changed_conditions(conditions_, *parsed, profiles_);
  if (!changed) return changed.error();
  if (Status done = relay_.change(*changed); !done) return done;
  conditions_ = *changed;
  return success();
}

Status AudioControl::inject(const RelayTarget& target, std::uint32_t bits) {
  if (Status there = check_target(target); !there) return there;
  relay_.inject(bits);
  return success();
}

std::vector<std::string> AudioControl::calls_json() const {
  const AudioRelayCounters counters = relay_.counters();
  const Json call = {{"call", 0},
                     {"seed", relay_.options().seed},
                     {"age_s", static_cast<double>(counters.heard) / relay_.port().rate_hz()},
                     {"a_to_b",
                      {{"in", relay_.port().input()},
                       {"out", relay_.port().output()},
                       {"rate_hz", relay_.port().rate_hz()},
                       {"stream", 0},
                       {"conditions", to_json(conditions_, Relayed::sound)},
                       {"counters", to_json(counters)}}}};
  return {call.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

}  // namespace vqas
