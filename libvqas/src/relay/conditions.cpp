#include "vqas/relay/conditions.h"

#include <fmt/format.h>

#include <cmath>

#include "vqas/signal/signal.h"

namespace vqas {

RelayConditions relay_conditions(const Profile& profile) {
  return {profile, 1000 * profile.line.delay_s};
}

RelayConditions in_effect(const RelayConditions& conditions) {
  return conditions.bypass ? RelayConditions() : conditions;
}

double held_back_ms(const Profile& profile) {
  return static_cast<double>(slip_reserve_octets(profile.slips)) * 1000 / kLineRateHz;
}

std::vector<std::string> left_out(const Profile& profile) {
  std::vector<std::string> parts;
  const auto note = [&parts](bool there, const char* name) {
    if (there) parts.emplace_back(name);
  };
  note(profile.band != Band::full, "band");
  note(!(profile.analogue == AnalogueParts()), "analogue");
  note(profile.line.gain_db != 0, "gain");
  note(std::isfinite(profile.line.circuit_noise_dbm0p), "noise");
  note(profile.line.sender_clock_ppm != 0 || profile.line.receiver_clock_ppm != 0, "clocks");
  return parts;
}

Status validate(const RelayConditions& conditions) {
  constexpr double kLongestDelayMs = 10'000;
  if (!(conditions.delay_ms >= 0 && conditions.delay_ms <= kLongestDelayMs)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("delay_ms: {} is out of range; give 0 to {}", conditions.delay_ms, kLongestDelayMs)};
  }
  if (Status valid = validate(conditions.profile); !valid) return valid;
  if (const double held = held_back_ms(conditions.profile); conditions.delay_ms < held) {
    return Error{ErrorCode::bad_input, fmt::format("delay_ms: {} is less than the {} that the profile's slips need;  "
                                                   "give that or more",
                                                   conditions.delay_ms, held)};
  }
  return success();
}

}  // namespace vqas
