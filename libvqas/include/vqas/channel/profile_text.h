#pragma once

#include <filesystem>
#include <string>

#include "vqas/channel/profile.h"
#include "vqas/signal/result.h"

namespace vqas {

/// Whether a profile's text may name files to be opened: patterns of errors and of loss.
enum class ProfileFiles {
  read,    ///< for profiles given by the user of this machine
  refuse,  ///< for profiles from a socket: bad_input, and nothing is opened
};

/// Reads a profile from TOML 1.0; libvqas/doc/profiles.md lists the keys, which carry their units in their names.
/// Missing keys mean full band, no noise, no ripple, no errors, and a delay of 0.25 s. `where` names the text in
/// messages; files that the profile names are relative to it. Fails with bad_input for text that is not TOML, an
/// unknown key, or a value of the wrong type or out of range; the message gives file, line and remedy. Re-entrant.
Result<Profile> parse_profile(const std::string& text, const std::filesystem::path& where,
                              ProfileFiles files = ProfileFiles::read);

/// The same from a file of at most 4 MiB; a profile without a name gets the file's.
Result<Profile> read_profile(const std::filesystem::path& file);

/// The profile as TOML, with every value that differs from its default; parse_profile() restores the same profile.
/// Re-entrant.
std::string profile_toml(const Profile& profile);

/// A line with only G.711 and a delay of 0.25 s: the meaning of an empty TOML text.
Profile plain_profile();

}  // namespace vqas
