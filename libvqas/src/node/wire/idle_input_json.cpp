#include "node/wire/idle_input_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace vqas {
namespace {

using Json = nlohmann::ordered_json;
using Kind = IdleInput::Kind;

constexpr std::array kKinds{std::pair{Kind::no_packets, "no_packets"},
                            std::pair{Kind::digital_silence, "digital_silence"}, std::pair{Kind::quiet, "quiet"},
                            std::pair{Kind::tone, "tone"}, std::pair{Kind::noise, "noise"}};
constexpr double kMost_db = 1000, kMost_hz = 4000;

// Nothing in `level` if the member is missing; false if it is not a level.
bool read_level(const Json& json, const char* name, std::optional<double>& level) {
  const auto found = json.find(name);
  if (found == json.end()) return true;
  if (!found->is_number() || !(std::fabs(found->get<double>()) <= kMost_db)) return false;
  level = found->get<double>();
  return true;
}

}  // namespace

Json idle_input_json(const IdleInput& input) {
  const auto* const kind = std::ranges::find(kKinds, input.kind, &std::pair<Kind, const char*>::first);
  Json json{{"kind", kind->second}};
  if (input.level_dbov) json["level_dbov"] = *input.level_dbov;
  if (input.level_dbm0p) json["level_dbm0p"] = *input.level_dbm0p;
  if (input.kind == Kind::tone) json["tone_hz"] = input.tone_hz;
  return json;
}

std::optional<IdleInput> idle_input_from(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const Json word = json.value("kind", Json());
  const auto* const kind = std::ranges::find_if(kKinds, [&word](const auto& one) { return word == one.second; });
  if (kind == kKinds.end()) return std::nullopt;
  IdleInput input;
  input.kind = kind->first;
  if (!read_level(json, "level_dbov", input.level_dbov)) return std::nullopt;
  if (!read_level(json, "level_dbm0p", input.level_dbm0p)) return std::nullopt;
  if (const auto tone = json.find("tone_hz"); tone != json.end()) {
    if (!tone->is_number() || !(tone->get<double>() >= 0 && tone->get<double>() <= kMost_hz)) return std::nullopt;
    input.tone_hz = tone->get<double>();
  }
  const bool has_level = input.kind != Kind::no_packets && input.kind != Kind::digital_silence;
  return has_level == input.level_dbov.has_value() ? std::optional(input) : std::nullopt;
}

}  // namespace vqas
