#include "vqas/relay/call_control.h"

#include <fmt/format.h>

#include "relay/relay_json.h"

namespace vqas {
namespace {

std::vector<End> sides_of(const RelayTarget& target) {
  return target.from ? std::vector<End>{*target.from} : std::vector<End>{End::a, End::b};
}

}  // namespace

std::vector<std::uint64_t> CallControl::calls_of(const RelayTarget& target) const {
  if (target.call) return {*target.call};
  return relay_.numbers();
}

Status CallControl::set(const RelayTarget& target, const std::string& json) {
  const auto parsed = parse_json_text(json, "the text of conditions");
  if (!parsed) return parsed.error();
  struct Change {
    std::uint64_t call;
    End from;
    RelayConditions conditions;
  };
  std::vector<Change> changes;
  for (const std::uint64_t number : calls_of(target)) {
    const auto call = relay_.call(number);
    if (!call && target.call) return Error{ErrorCode::bad_input, fmt::format("there is no call {}", number)};
    if (!call) continue;
    for (const End from : sides_of(target)) {
      const auto changed =
          changed_conditions(*call->directions[static_cast<std::size_t>(from)].conditions, *parsed, profiles_);
      if (!changed) return changed.error();
      changes.push_back({number, from, *changed});
    }
  }
  if (!target.call) {
    CallOptions defaults = defaults_;
    for (const End from : sides_of(target)) {
      RelayConditions& conditions = defaults.sides[static_cast<std::size_t>(from)].conditions;
      const auto changed = changed_conditions(conditions, *parsed, profiles_);
      if (!changed) return changed.error();
      conditions = *changed;
    }
    defaults_ = defaults;
  }
  for (const Change& change : changes) {
    Status done = relay_.change(change.call, change.from, change.conditions);
    if (!done && target.call) return done;  // for all calls: one may have ended meanwhile
  }
  return success();
}

Status CallControl::inject(const RelayTarget& target, std::uint32_t bits) {
  for (const std::uint64_t number : calls_of(target)) {
    for (const End from : sides_of(target)) {
      Status done = relay_.inject(number, from, bits);
      if (!done && target.call) return done;
    }
  }
  return success();
}

std::vector<std::string> CallControl::calls_json() const {
  std::vector<std::string> all;
  for (const RelayedCallState& call : relay_.calls()) all.push_back(call_json(call));
  return all;
}

std::string CallControl::sip_json() const {
  const auto counters = sip();
  return counters ? to_json(*counters).dump() : std::string();
}

std::string call_json(const RelayedCallState& call) {
  return to_json(call).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vqas
