#include "run/same_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "run/measurement_limits.h"
#include "run/run_json.h"
#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

using Changes = std::vector<std::string>;

// In the form of the files, whose numbers are rounded.
void compare_conditions(const std::string& direction, const LineConditions& before, const LineConditions& now,
                        Changes& changes) {
  const Json was = store::to_json(before), is = store::to_json(now);
  for (const auto& [member, value] : was.items()) {
    if (is.at(member) != value)
      changes.push_back(fmt::format("{} {} was {} and is {}", direction, member, value.dump(), is.at(member).dump()));
  }
}

// A release may write the same profile in other words.
std::string as_now_written(const std::string& profile) {
  const auto parsed = parse_profile(profile, "profile", ProfileFiles::refuse);
  return parsed ? profile_toml(*parsed) : profile;
}

}  // namespace

Status check_same_line(const RunResults& before, const RunResults& now) {
  Changes changes;
  if (before.line != now.line)
    changes.push_back(fmt::format("the line was \"{}\" and is \"{}\"", before.line, now.line));
  if (before.simulated.empty() != now.simulated.empty())
    changes.emplace_back(now.simulated.empty() ? "the line was simulated" : "the line is simulated");
  if (before.mode != now.mode)
    changes.push_back(fmt::format("its scores were {} and are {}", scale_name(before.mode), scale_name(now.mode)));
  if (before.codec != now.codec)
    changes.push_back(
        fmt::format("the simulated line's codec was {} and is {}", to_string(before.codec), to_string(now.codec)));
  for (const auto& [direction, conditions] : before.simulated) {
    if (const auto same = now.simulated.find(direction); same != now.simulated.end())
      compare_conditions(direction, conditions, same->second, changes);
  }
  if (as_now_written(before.profile) != as_now_written(now.profile))
    changes.emplace_back("the simulated line's profile has changed");
  for (const auto& [end, equipment] : before.equipment) {
    const auto same = now.equipment.find(end);
    const std::string was = as_plain_text(equipment);
    const std::string is = same == now.equipment.end() ? "" : as_plain_text(same->second);
    if (was != is) changes.push_back(fmt::format("the equipment of end {} was \"{}\" and is \"{}\"", end, was, is));
  }
  if (changes.empty()) return success();
  return Error{ErrorCode::bad_input,
               fmt::format("the run was begun over another line: {}; its measurements would not be comparable; restore "
                           "that line, or measure this one into a new folder",
                           fmt::join(changes, "; "))};
}

}  // namespace vqas
