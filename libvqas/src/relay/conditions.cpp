#include "vqas/relay/conditions.h"

#include <fmt/format.h>

#include "vqas/signal/signal.h"

namespace vqas {

RelayConditions relay_conditions(const Profile& profile) {
  return {profile, 1000 * profile.line.delay_s};
}

RelayConditions in_effect(const RelayConditions& conditions) {
  if (!conditions.bypass) return conditions;
  RelayConditions none;
  none.profile.line.law = conditions.profile.line.law;
  return none;
}

double held_back_ms(const Profile& profile) {
  return static_cast<double>(slip_reserve_octets(profile.slips)) * 1000 / kLineRateHz;
}

std::vector<std::string> left_out(const Profile& profile, Relayed relayed) {
  // These name every field, so a new one does not compile until it is either carried by the relay or noted below.
  const auto& [name, summary, line, band, analogue, errors, mask, release, interruptions, slips, packets] = profile;
  const auto& [law, ber, delay_s, gain_db, band_limit, noise_dbm0p, gain_ripple_db, sender_clock_ppm,
               receiver_clock_ppm, fresh_phase, end_silence_s] = line;
  const Profile usual = plain_profile();
  std::vector<std::string> parts;
  const auto note = [&parts](bool there, const char* part) {
    if (there) parts.emplace_back(part);
  };
  note(relayed == Relayed::packets && law != usual.line.law, "law");
  note(band != usual.band, "band");
  note(analogue != usual.analogue, "analogue");
  note(gain_db != usual.line.gain_db, "gain");
  note(noise_dbm0p != usual.line.circuit_noise_dbm0p, "noise");
  note(gain_ripple_db != usual.line.gain_ripple_db, "gain_ripple_db");
  note(sender_clock_ppm != usual.line.sender_clock_ppm || receiver_clock_ppm != usual.line.receiver_clock_ppm,
       "clocks");
  note(fresh_phase != usual.line.fresh_phase, "fresh_phase");
  note(relayed == Relayed::sound && packets && *packets != PacketConditions(), "packets");
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
