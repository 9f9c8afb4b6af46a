#pragma once

#include <filesystem>
#include <string>

#include "vqas/channel/profile.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Whether a profile's text may name files of its own, which are then opened: patterns of errors and of loss.
enum class ProfileFiles {
  read,    ///< for what the user of this machine gives
  refuse,  ///< for what a socket gives: bad_input, and nothing is opened
};

/// Reads a profile from TOML 1.0; libvqas/doc/channel.md lists the keys, which carry their units in their names. What
/// is not given is not there: full band, no noise, no ripple, no errors; the delay is 0.25 s. `where` names the text in
/// messages; files that the profile names are looked for beside it. Fails with bad_input for text that is no TOML, an
/// unknown key, a value of the wrong kind or out of range, always with file, line and cure. Re-entrant.
Result<Profile> parse_profile(const std::string& text, const std::filesystem::path& where,
                              ProfileFiles files = ProfileFiles::read);

/// The same from a file of at most 4 MiB; a profile without a name gets the file's.
Result<Profile> read_profile(const std::filesystem::path& file);

/// The profile as TOML, with everything that differs from what is meant when a key is missing; parse_profile() gives
/// the same profile back. Re-entrant.
std::string profile_toml(const Profile& profile);

/// A line on which nothing happens but G.711 and a delay of 0.25 s: what an empty TOML text stands for.
Profile plain_profile();

}  // namespace vqas
