#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "vqas/channel/profile_library.h"
#include "vqas/channel/profile_text.h"
#include "vqas/report/summary.h"

namespace vqas {
namespace {

/// Names the stimuli unless they are VQAS's own twelve, the default.
std::string stimuli_argument(const RunResults& results) {
  static constexpr const char* kOwn[] = {"F1", "F2", "F3", "F4", "F5", "F6", "M1", "M2", "M3", "M4", "M5", "M6"};
  std::vector<std::string> names;
  for (const StimulusRun& stimulus : results.directions.front().stimuli) names.push_back(stimulus.stimulus);
  std::vector<std::string> sorted = names;
  std::ranges::sort(sorted);
  if (std::ranges::equal(sorted, kOwn)) return "";
  return fmt::format(" --stimuli {}", fmt::join(names, ","));
}

/// Goal and cap; `vqas quickstart` makes simulated lines, and its goal is that of each stimulus unless told.
std::string goal_arguments(const RunResults& results) {
  const SamplerOptions& sampling = results.sampling;
  if (sampling.goal_of == GoalOf::line_time)
    return fmt::format(" --minutes {:g}", std::max(1.0, std::ceil(results.line_seconds / 60)));
  const std::string cap = fmt::format(" --cap {}", sampling.cap_count);
  if (sampling.goal_of == GoalOf::above) return cap + fmt::format(" --above {:g}", sampling.limit.mos);
  const bool of_mean = sampling.goal_of == GoalOf::mean, usual = of_mean == results.simulated.empty();
  return usual ? cap : cap + (of_mean ? " --mean" : " --each-stimulus");
}

bool both_modes(const RunResults& results) {
  return std::ranges::any_of(results.directions, [](const DirectionRun& direction) {
    return std::ranges::any_of(direction.stimuli, [](const StimulusRun& stimulus) {
      return std::ranges::any_of(stimulus.measurements,
                                 [](const Measurement& one) { return one.narrowband_mos_lqo.has_value(); });
    });
  });
}

std::string plan_arguments(const RunResults& results) {
  std::string text = fmt::format(" --seed {}", results.seed) + goal_arguments(results);
  if (results.guard_s != RunResults().guard_s) text += fmt::format(" --guard-s {}", results.guard_s);
  if (results.mode == ScoreMode::wideband) text += both_modes(results) ? " --mode both" : " --mode wb";
  if (results.directions.empty()) return text;
  text += stimuli_argument(results);
  if (results.directions.size() == 1)
    text += fmt::format(" --directions {}", direction_name(results.directions.front().from));
  return text;
}

}  // namespace

std::string reproduce_command(const RunResults& results) {
  if (results.simulated.empty())
    return "vqas measure --node-a ws://ADDRESS --node-b ws://ADDRESS --out again" + plan_arguments(results);
  const auto& [direction, line] = *results.simulated.begin();
  const std::string codec =
      results.codec == LineCodec::g711 ? std::string() : fmt::format(" --codec {}", to_string(results.codec));
  const bool from_a = direction == direction_name(End::a);
  if (!results.profile.empty()) {
    const auto profile = parse_profile(results.profile, "the line's profile");
    const std::string name = profile && find_profile(profile->name) ? profile->name : "PROFILE.toml";
    return fmt::format("vqas quickstart again{}{} --profile {} --clock-a-ppm {} --clock-b-ppm {}",
                       plan_arguments(results), codec, name, from_a ? line.sender_clock_ppm : line.receiver_clock_ppm,
                       from_a ? line.receiver_clock_ppm : line.sender_clock_ppm);
  }
  return fmt::format(
      "vqas quickstart again{}{} --law {} --ber {} --delay-s {} --gain-db {} --noise-dbm0p {} --ripple-db {} "
      "--clock-a-ppm {} --clock-b-ppm {}{}",
      plan_arguments(results), codec, line.law == G711Law::a ? "a" : "mu", line.ber, line.delay_s, line.gain_db,
      line.circuit_noise_dbm0p, line.gain_ripple_db, from_a ? line.sender_clock_ppm : line.receiver_clock_ppm,
      from_a ? line.receiver_clock_ppm : line.sender_clock_ppm, line.band_limit ? "" : " --no-band-limit");
}

}  // namespace vqas
