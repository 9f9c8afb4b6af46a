#include "vqas/channel/profile_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "vqas/channel/profile_text.h"

namespace vqas {
namespace {

// One-way delays that the report does not give: the shortest of a simulated line, that of a few thousand kilometres of
// cable with its switches, and that of a geostationary satellite (half of the 525..560 ms that users observed).
constexpr double kLocalDelay_s = 0.05;
constexpr double kCountryDelay_s = 0.06;
constexpr double kSatelliteDelay_s = 0.27;
// Longer than a sentence and within the report's "several minutes" for a fade; the report gives no figure.
constexpr double kStormStep_s = 30;
constexpr double kWanderStep_s = 900;

Profile named(const char* name, const char* summary, double delay_s) {
  Profile profile = plain_profile();
  profile.name = name;
  profile.summary = summary;
  profile.line.delay_s = delay_s;
  profile.line.fresh_phase = true;
  profile.line.gain_ripple_db = 0.1;
  return profile;
}

Profile back_to_back() {
  return named("back-to-back", "The two ends joined by a cable: one G.711 coding and nothing else", kLocalDelay_s);
}

Profile local_switch() {
  Profile profile = named("local-switch", "Two analogue lines of one building's telephone switch", kLocalDelay_s);
  profile.band = Band::g712;
  profile.line.gain_db = -3;
  profile.line.circuit_noise_dbm0p = -68;
  profile.release = release_of_network("local-switch");
  return profile;
}

Profile local_isdn() {
  Profile profile = named("local-isdn", "Two ISDN sets at one ISDN switch", kLocalDelay_s);
  profile.band = Band::g712;
  profile.line.circuit_noise_dbm0p = -75;
  profile.release = release_of_network("local-switch");
  return profile;
}

Profile terrestrial_isdn() {
  Profile profile = named("terrestrial-isdn", "ISDN across a continent by cable", kCountryDelay_s);
  profile.band = Band::g712;
  profile.line.circuit_noise_dbm0p = -75;
  profile.errors.emplace_back(RandomRate{1e-9});
  profile.release = release_of_network("terrestrial");
  return profile;
}

Profile satellite_isdn() {
  Profile profile =
      named("satellite-isdn", "ISDN over a geostationary satellite without an echo canceller", kSatelliteDelay_s);
  profile.band = Band::g712;
  profile.line.circuit_noise_dbm0p = -75;
  profile.analogue.echo_loss_db = 50;
  profile.analogue.echo_delay_s = 2 * kSatelliteDelay_s;
  profile.errors.emplace_back(RandomRate{kWanderDownlinkBer});
  profile.errors.emplace_back(RandomRate{kWanderDownlinkBer});
  profile.release = release_of_network("satellite");
  return profile;
}

Profile long_distance() {
  Profile profile =
      named("long-distance", "A long-distance call without the top of the talker's band", kCountryDelay_s);
  profile.band = Band::long_distance;
  profile.line.gain_db = -6;
  profile.line.circuit_noise_dbm0p = -65;
  return profile;
}

VaryingRate steps_of(const std::vector<double>& bers, double step_s) {
  VaryingRate varying;
  varying.loop = true;
  for (const double ber : bers) varying.steps.push_back({step_s, ber, ber});
  return varying;
}

Profile thunderstorm() {
  Profile profile = satellite_isdn();
  profile.name = "thunderstorm";
  profile.summary = "A strong thunderstorm over one earth station (NTIA Report 98-354, table 2.4)";
  profile.errors.assign(1, steps_of(thunderstorm_bers(), kStormStep_s));
  return profile;
}

Profile wander() {
  Profile profile = satellite_isdn();
  profile.name = "wander";
  profile.summary = "A wandering satellite: uplink of 21 January 1995, downlink 5e-9 (the same, table 2.5)";
  profile.errors.clear();
  profile.errors.emplace_back(steps_of(wander_uplink_bers(), kWanderStep_s));
  profile.errors.emplace_back(RandomRate{kWanderDownlinkBer});
  return profile;
}

struct BurstTable {
  const char* background;
  const char* burst;
  double background_ber;
  double burst_ber;
  std::vector<double> lengths_s;
};

void add_bursts(std::vector<Profile>& profiles) {
  const std::array<BurstTable, 3> tables{{{"1e-6", "1e-3", 1e-6, 1e-3, {0.5, 1, 5, 10}},
                                          {"1e-6", "1e-2", 1e-6, 1e-2, {0.5, 1, 2, 3, 5, 10}},
                                          {"1e-5", "1e-2", 1e-5, 1e-2, {0.5, 1, 2, 3, 5, 10}}}};
  for (const BurstTable& table : tables) {
    for (const double length_s : table.lengths_s) {
      Profile profile = satellite_isdn();
      profile.release.reset();
      profile.name = fmt::format("bursts-{}-{}-{}s", table.background, table.burst, length_s);
      profile.summary = fmt::format("Bursts of {} s at {} every {} s, {} between them", length_s, table.burst,
                                    length_s + 10, table.background);
      profile.errors.assign(1, Bursts{table.background_ber, table.burst_ber, length_s, 10, true});
      profiles.push_back(std::move(profile));
    }
  }
}

std::vector<Profile> make_all() {
  std::vector<Profile> profiles{back_to_back(),   local_switch(),  local_isdn(),   terrestrial_isdn(),
                                satellite_isdn(), long_distance(), thunderstorm(), wander()};
  add_bursts(profiles);
  for (Profile& profile : profiles) profile.line.band_limit = profile.band != Band::full;
  return profiles;
}

}  // namespace

std::vector<double> thunderstorm_bers() {
  return {7e-7, 3e-1, 2e-8, 4e-3, 6e-6, 2e-4, 4e-8, 7e-2, 5e-3, 3e-4, 3e-4, 2e-6,
          1e-7, 4e-9, 1e-8, 4e-6, 2e-6, 3e-8, 3e-5, 4e-8, 4e-2, 3e-3, 3e-8, 3e-4};
}

std::vector<double> wander_uplink_bers() {
  return {2e-6, 2e-6, 3e-6, 9e-6, 9e-6, 9e-6, 8e-6, 1e-4, 3e-4, 1e-4, 8e-5, 2e-4,
          2e-5, 1e-4, 5e-5, 2e-5, 1e-5, 3e-6, 1e-6, 9e-7, 7e-7, 5e-7, 3e-7, 1e-7};
}

const std::vector<Profile>& built_in_profiles() {
  static const std::vector<Profile> profiles = make_all();
  return profiles;
}

Result<Profile> find_profile(const std::string& name_or_file) {
  if (name_or_file.find('/') != std::string::npos || name_or_file.ends_with(".toml")) return read_profile(name_or_file);
  std::string known;
  for (const Profile& profile : built_in_profiles()) {
    if (profile.name == name_or_file) return profile;
    known += (known.empty() ? "" : ", ") + profile.name;
  }
  return Error{
      ErrorCode::bad_input,
      fmt::format("there is no profile \"{}\"; give a file that ends in .toml, or one of {}", name_or_file, known)};
}

}  // namespace vqas
