#include "relay/relay_json.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

Json or_null(const std::optional<SocketAddress>& address) {
  return address ? Json(to_string(*address)) : Json(nullptr);
}

Error wrong_member(const std::string& name, const char* wanted) {
  return {ErrorCode::bad_input, fmt::format("\"{}\" must be {}", name, wanted)};
}

// The packet conditions, created if missing. The defaults of loss, jitter and the rest do nothing.
PacketConditions& packets_of(RelayConditions& conditions) {
  if (!conditions.profile.packets) conditions.profile.packets.emplace();
  return *conditions.profile.packets;
}

using Setter = void (*)(RelayConditions&, double);
struct Member {
  const char* name;
  Setter set;
};
constexpr std::array<Member, 8> kNumbers{
    {{"ber", [](RelayConditions& c, double v) { c.profile.errors = {RandomRate{v}}; }},
     {"delay_ms", [](RelayConditions& c, double v) { c.delay_ms = v; }},
     {"loss",
      [](RelayConditions& c, double v) {
        // Loss in runs stays in runs. A pattern has no loss ratio, so random loss replaces it.
        PacketConditions& packets = packets_of(c);
        if (packets.loss != LossKind::gilbert) packets.loss = v == 0 ? LossKind::none : LossKind::random;
        packets.loss_ratio = v;
        packets.loss_file.clear();
        packets.loss_pattern.reset();
      }},
     {"mean_loss_packets",
      [](RelayConditions& c, double v) {
        // 1 means independent losses, and is reported as such. More means runs, whatever the loss ratio is now or
        // later.
        PacketConditions& packets = packets_of(c);
        packets.loss = v != 1 ? LossKind::gilbert : packets.loss_ratio == 0 ? LossKind::none : LossKind::random;
        packets.mean_loss_packets = v == 1 ? PacketConditions().mean_loss_packets : v;
        packets.loss_file.clear();
        packets.loss_pattern.reset();
      }},
     {"jitter_ms", [](RelayConditions& c, double v) { packets_of(c).jitter_ms = v; }},
     {"reorder", [](RelayConditions& c, double v) { packets_of(c).reorder_ratio = v; }},
     {"reorder_ms", [](RelayConditions& c, double v) { packets_of(c).reorder_ms = v; }},
     {"duplicate", [](RelayConditions& c, double v) { packets_of(c).duplicate_ratio = v; }}}};

Status take_profile(const Json& json, const ProfileSource& profiles, RelayConditions& conditions) {
  for (const char* name : {"profile", "toml"}) {
    const auto member = json.find(name);
    if (member == json.end()) continue;
    if (!member->is_string()) return wrong_member(name, "a text");
    const std::string text = member->get<std::string>();
    const auto profile = std::string_view(name) == "toml" ? profiles.from_text(text) : profiles.named(text);
    if (!profile) return profile.error();
    const bool bypass = conditions.bypass;
    const bool loopback = conditions.loopback;
    conditions = relay_conditions(*profile);
    conditions.bypass = bypass;
    conditions.loopback = loopback;
  }
  return success();
}

const char* call_word(CallState state) {
  switch (state) {
    case CallState::up:
      return "up";
    case CallState::released:
      return "released";
    case CallState::restored:
      break;
  }
  return "restored";
}

Status take_release(const Json& json, RelayConditions& conditions) {
  const auto member = json.find("release");
  if (member == json.end()) return success();
  const std::string network = member->is_string() ? member->get<std::string>() : std::string();
  const auto release = release_of_network(network);
  if (!release && network != "none") {
    return wrong_member("release", "\"none\", \"terrestrial\", \"local-switch\" or \"satellite\"");
  }
  conditions.profile.release = release;
  return success();
}

using FlagSetter = void (*)(RelayConditions&, bool);
constexpr std::array<std::pair<const char*, FlagSetter>, 3> kFlags{
    {{"keeps_order", [](RelayConditions& c, bool v) { packets_of(c).keeps_order = v; }},
     {"bypass", [](RelayConditions& c, bool v) { c.bypass = v; }},
     {"loopback", [](RelayConditions& c, bool v) { c.loopback = v; }}}};

bool is_known(const std::string& name) {
  if (name == "profile" || name == "toml" || name == "mask" || name == "release") return true;
  if (std::any_of(kFlags.begin(), kFlags.end(), [&name](const auto& flag) { return name == flag.first; })) return true;
  return std::any_of(kNumbers.begin(), kNumbers.end(), [&name](const Member& member) { return name == member.name; });
}

}  // namespace

Json to_json(const RelayConditions& conditions, Relayed relayed) {
  const Profile& profile = conditions.profile;
  const PacketConditions packets = profile.packets.value_or(PacketConditions());
  const auto* const random = profile.errors.size() == 1 ? std::get_if<RandomRate>(&profile.errors[0]) : nullptr;
  // Any other kind than a single random ratio is given by the profile's text.
  const Json ber = profile.errors.empty() ? Json(0) : random != nullptr ? Json(random->ber) : Json();
  return {{"profile", profile.name},
          {"ber", ber},
          {"mask", profile.error_mask},
          {"delay_ms", conditions.delay_ms},
          {"loss", packets.loss == LossKind::none ? 0 : packets.loss_ratio},
          {"mean_loss_packets", packets.loss == LossKind::gilbert ? packets.mean_loss_packets : 1},
          {"jitter_ms", packets.jitter_ms},
          {"keeps_order", packets.keeps_order},
          {"reorder", packets.reorder_ratio},
          {"reorder_ms", packets.reorder_ms},
          {"duplicate", packets.duplicate_ratio},
          {"bypass", conditions.bypass},
          {"loopback", conditions.loopback},
          {"left_out", left_out(profile, relayed)},
          {"toml", profile_toml(profile)}};
}

// The classes seen so far, by length.
Json bursts_json(const ErrorCounters& errors) {
  Json json = Json::object();
  const auto bursts = errors.bursts();
  for (std::size_t i = 0; i < bursts.size(); ++i) {
    if (bursts[i] > 0) json[ErrorCounters::burst_lengths(i)] = bursts[i];
  }
  return json;
}

Json digital_json(const RelayCounters& counters) {
  const ErrorCounters& errors = counters.errors;
  const RatioInterval ber = errors.ber_interval();
  const G821Seconds& seconds = errors.seconds();
  return {{"bits", errors.bits()},
          {"errors", errors.errors()},
          {"ber", errors.bits() == 0 ? Json(nullptr) : Json(ber.ratio)},
          {"ber_low_95", ber.low},
          {"ber_high_95", ber.high},
          {"bursts_by_length", bursts_json(errors)},
          {"seconds", seconds.total},
          {"error_free_seconds", seconds.error_free},
          {"errored_seconds", seconds.errored},
          {"severely_errored_seconds", seconds.severely_errored},
          {"unavailable_seconds", seconds.unavailable},
          {"call_state", call_word(counters.events.call)},
          {"releases", counters.events.releases},
          {"interrupted_octets", counters.events.interrupted_octets},
          {"slips", counters.events.slips},
          {"slipped_octets", counters.events.slipped_octets}};
}

Json to_json(const RelayCounters& counters) {
  Json json = {{"packets", counters.packets},
               {"g711_packets", counters.g711_packets},
               {"other_packets", counters.other_packets},
               {"octets", counters.octets},
               {"rtcp_packets", counters.rtcp_packets}};
  json.update(digital_json(counters));
  json.update(Json{{"missing", counters.missing},
                   {"lost", counters.lost},
                   {"lost_in_queue", counters.lost_in_queue},
                   {"video_sent", counters.video_sent},
                   {"video_lost", counters.video_lost},
                   {"reordered", counters.reordered},
                   {"duplicated", counters.duplicated},
                   {"repeated", counters.repeated},
                   {"sent", counters.sent},
                   {"late", counters.late},
                   {"latest_ms", static_cast<double>(counters.latest_ns) * 1e-6},
                   {"unsendable", counters.unsendable},
                   {"no_room", counters.no_room},
                   {"malformed", counters.malformed},
                   {"oversized", counters.oversized},
                   {"strangers", counters.strangers}});
  return json;
}

Json to_json(const RelayedCallState& call) {
  Json json = {{"call", call.number},
               {"seed", call.seed},
               {"age_s", static_cast<double>(call.age_ns) * 1e-9},
               {"silent_s", static_cast<double>(call.silent_ns) * 1e-9}};
  for (const End from : {End::a, End::b}) {
    const RelayedCallState::Direction& direction = call.directions[static_cast<std::size_t>(from)];
    json[direction_word(from)] = {{"listen", to_string(direction.listen)},
                                  {"peer", or_null(direction.peer)},
                                  {"stream", direction.stream},
                                  {"conditions", to_json(*direction.conditions, Relayed::packets)},
                                  {"counters", to_json(direction.counters)}};
  }
  return json;
}

Json to_json(const SipCounters& counters) {
  return {{"calls", counters.calls},
          {"calls_unanswered", counters.calls_unanswered},
          {"no_sip", counters.no_sip},
          {"stray_requests", counters.stray_requests},
          {"stray_responses", counters.stray_responses},
          {"refused_descriptions", counters.refused_descriptions},
          {"refused_for_room", counters.refused_for_room},
          {"unanswered", counters.unanswered},
          {"gave_way", counters.gave_way}};
}

Result<RelayConditions> with_changes(const RelayConditions& conditions, const std::string& json,
                                     const ProfileSource& profiles) {
  const auto parsed = parse_json_text(json, "the text of conditions");
  return parsed ? changed_conditions(conditions, *parsed, profiles) : parsed.error();
}

Result<RelayConditions> changed_conditions(const RelayConditions& conditions, const Json& json,
                                           const ProfileSource& profiles) {
  if (!json.is_object()) return wrong_member("conditions", "an object");
  for (const auto& [name, value] : json.items()) {
    if (!is_known(name)) return Error{ErrorCode::bad_input, fmt::format("\"{}\" is not a condition", name)};
  }
  RelayConditions changed = conditions;
  if (const Status taken = take_profile(json, profiles, changed); !taken) return taken.error();
  if (const Status taken = take_release(json, changed); !taken) return taken.error();
  for (const Member& member : kNumbers) {
    const auto value = json.find(member.name);
    if (value == json.end()) continue;
    if (!value->is_number()) return wrong_member(member.name, "a number");
    member.set(changed, value->get<double>());
  }
  if (const auto mask = json.find("mask"); mask != json.end()) {
    if (!mask->is_number_unsigned() || *mask == 0 || *mask > 255) return wrong_member("mask", "1 to 255");
    changed.profile.error_mask = mask->get<BitMask>();
  }
  for (const auto& [name, set] : kFlags) {
    const auto value = json.find(name);
    if (value == json.end()) continue;
    if (!value->is_boolean()) return wrong_member(name, "true or false");
    set(changed, value->get<bool>());
  }
  if (const Status valid = validate(changed); !valid) return valid.error();
  return changed;
}

}  // namespace vqas
