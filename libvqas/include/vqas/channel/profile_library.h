#pragma once

#include <string>
#include <vector>

#include "vqas/channel/profile.h"
#include "vqas/signal/result.h"

namespace vqas {

/// The built-in profiles, in listing order: six channels modelled after those of NTIA Report 98-354, section 2
/// ("back-to-back", "local-switch", "local-isdn", "terrestrial-isdn", "satellite-isdn", "long-distance"),
/// "thunderstorm" (its table 2.4), "wander" (table 2.5), and the bursts of its tables 3.3 and 4.3
/// ("bursts-1e-6-1e-3-0.5s": background, burst, length). Values that the report does not give are documented in
/// libvqas/doc/channel.md.
const std::vector<Profile>& built_in_profiles();

/// A built-in profile by its name, or one from a file. A name with a '/' or ending in ".toml" is a file. Fails with
/// bad_input; for an unknown name the message lists the known ones.
Result<Profile> find_profile(const std::string& name_or_file);

/// The bit error ratios of a storm's steps, in the order of the report's tables 2.4 and 2.5.
std::vector<double> thunderstorm_bers();
std::vector<double> wander_uplink_bers();
/// The ratio of the other leg during the whole wander.
inline constexpr double kWanderDownlinkBer = 5e-9;

}  // namespace vqas
